// Asking a bot that is online to play.
import { Refusal } from "./refusal.js";

/** Ask a bot that is online into a room, or a Refusal. @param {string} bot @param {string} room */
export async function challenge(bot, room) {
  const answer = await fetch(`/api/bots/${encodeURIComponent(bot)}/challenge`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ room }),
  });
  if (answer.ok) return;
  const found = await answer.json().catch(() => null);
  throw new Refusal(found?.error ?? { code: "unknown", message: "this bot can't be reached" });
}
