// What an event from the server makes of the game that is shown. Pure: state in, state out.
import { changed } from "./board/geometry.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** @typedef {import("./protocol.js").Moved} Moved */
/** @typedef {import("./protocol.js").GameState} GameState */

/** Whether an event follows the state, repeats what it has, or leaves a gap.
 * @param {{game: string, v: number}} state @param {{game: string, v: number}} payload
 * @returns {"next" | "old" | "gap"} */
export function order(state, payload) {
  if (payload.game !== state.game) return "gap";
  if (payload.v <= state.v) return "old";
  return payload.v === state.v + 1 ? "next" : "gap";
}

/** The state after a move. @param {Snapshot} state @param {Moved} moved @returns {Snapshot} */
export function afterMove(state, moved) {
  const { pieces, block, unblock, move, cells, ...rest } = moved;
  return {
    ...state,
    ...rest,
    board: { ...state.board, pieces, blocked: changed(state.board.blocked, block, unblock) },
    moves: state.moves ? `${state.moves} ${move}` : move,
    last: cells,
  };
}

/** Whether what is told of the game fits the board that is shown, and who we are in it.
 * @param {Snapshot} state @param {GameState} payload */
export function fits(state, payload) {
  const isSeated = payload.players.every((player, at) => player.taken === state.players[at].taken);
  return payload.game === state.game && payload.ply === state.ply && isSeated;
}

/** The state after anything else that happened in the game. @param {Snapshot} state @param {GameState} payload
 * @returns {Snapshot} */
export function afterState(state, payload) {
  const isOn = !payload.outcome && payload.players.every((player) => player.taken);
  return { ...state, ...payload, choices: isOn ? state.choices : null };
}

/** The moves of a game, one by one. @param {{moves: string}} state */
export function movesOf(state) {
  return state.moves ? state.moves.split(" ") : [];
}
