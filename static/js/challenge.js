// Asking a bot that is online to play.

/** Ask a bot that is online into a room. @param {string} bot @param {string} room */
export async function challenge(bot, room) {
  const answer = await fetch(`/api/bots/${encodeURIComponent(bot)}/challenge`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ room }),
  });
  if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.error?.message ?? "this bot can not be reached");
}

