// Who sits where, and what they're called. Pure.

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

/** What a player is called; at one screen both have numbers only. @param {Snapshot} state @param {number} player */
export function playerName(state, player) {
  const { taken, name } = state.players[player];
  return state.features.one_screen || !taken ? `Player ${player + 1}` : name;
}

/** Who sits there. @param {Snapshot} state @param {number} player */
export function aboutPlayer(state, player) {
  const { kind, taken, bot, level_name: level } = state.players[player];
  if (kind === "computer") return level ?? "";
  if (!taken || state.features.one_screen) return "";
  const words = [state.you.includes(player) ? "you" : "", bot ? "bot" : ""].filter(Boolean);
  if (!state.presence.players[player]) words.push("away");
  return words.join(", ");
}

/** Whether the reader is this player, and not the other one too. @param {Snapshot} state @param {number} player */
export function isMe(state, player) {
  return state.you.length === 1 && state.you[0] === player;
}

/** @param {Snapshot} state */
export function isPlaying(state) {
  return state.you.length > 0;
}

/** @param {{players: {taken: boolean}[]}} state */
export function isFull(state) {
  return state.players.every((player) => player.taken);
}

/** Whether moves can be made. @param {Snapshot} state */
export function isOn(state) {
  return !state.outcome && state.choices !== null;
}
