// What can be done in a room right now. Pure: state in, answers out; the server decides in the end.
import { isFull, isOn, isPlaying } from "./seats.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** Whether something can be done: now; later, as it was just asked for; or not here at all.
 * @typedef {"now" | "later" | "no"} Can */

/** What can be done about the game, each by a button. @param {Snapshot} state */
export function actions(state) {
  const { features } = state;
  const isActive = isOn(state) && isPlaying(state);
  return {
    takeback: can(isActive && features.takeback && hasMoved(state), state.takeback_offer === null),
    draw: can(isActive && features.draw && state.has_draws, state.draw_offer === null),
    resign: can(isActive && state.ply >= 2),
    abort: can(isPlaying(state) && !state.outcome && state.ply < 2),
    rematch: can(isPlaying(state) && features.rematch && state.outcome !== null && isFull(state), !isOwnRematch(state)),
  };
}

/** What else there is to do: panels that are there or not. @param {Snapshot} state */
export function panels(state) {
  const isFree = !isFull(state) && !state.outcome;
  return {
    join: isFree && !isPlaying(state),
    invite: isFree && isPlaying(state),
    chat: isPlaying(state) ? state.features.player_chat : state.features.spectator_chat,
    move: isOn(state) && isPlaying(state),
    flip: state.board.view !== "strip",
  };
}

/** Whose absence can be claimed, and in how many seconds; null if nobody's. @param {Snapshot} state
 * @param {number} since seconds since the server said who is there */
export function claim(state, since) {
  const other = state.you.length === 1 ? 1 - state.you[0] : null;
  const wait = other === null ? null : state.presence.claim_in[other];
  if (other === null || wait === null || !isOn(state)) return null;
  return { player: other, seconds: Math.max(0, Math.ceil(wait - since)) };
}

/** @param {boolean} isThere @param {boolean} isNow @returns {Can} */
function can(isThere, isNow = true) {
  if (!isThere) return "no";
  return isNow ? "now" : "later";
}

/** Whether there is a move to take back; after the other's reply both go. @param {Snapshot} state */
function hasMoved({ you, to_move, ply }) {
  return ply >= (you.length === 1 && you.includes(to_move) ? 2 : 1);
}

/** @param {Snapshot} state */
function isOwnRematch({ rematch_offer: by, you }) {
  return by !== null && you.includes(by);
}
