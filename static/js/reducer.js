// What an event from the server makes of the game that is shown. Pure: state in, state out.
import { changed } from "./board/geometry.js";

/** Whether an event follows the state, repeats what it has, or leaves a gap.
 * @param {any} state @param {{game: string, v: number}} payload @returns {"next" | "old" | "gap"} */
export function order(state, payload) {
  if (payload.game !== state.game) return "gap";
  if (payload.v <= state.v) return "old";
  return payload.v === state.v + 1 ? "next" : "gap";
}

/** The state after a move. @param {any} state @param {any} moved */
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

/** The state after anything else that happened in the game. @param {any} state @param {any} payload */
export function afterState(state, payload) {
  const isOn = !payload.outcome && payload.players.every((/** @type {any} */ player) => player.taken);
  return { ...state, ...payload, choices: isOn ? state.choices : null };
}
