// What an event from the server makes of the game that is shown. Pure: state in, state out.
import { changed } from "./board/geometry.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** @typedef {import("./protocol.js").Moved} Moved */
/** @typedef {import("./protocol.js").GameState} GameState */
/** @typedef {import("./protocol.js").Told} Told */

/** What became of a state. `isGap`: something that was told before is missing. `isNew`: another game is on, or others
 * sit at the board, and only entering again tells who we are in it. @typedef {{state: Snapshot, isGap: boolean, isNew: boolean}} Step */

/** @param {Snapshot} state @returns {Step} */
const same = (state) => ({ state, isGap: false, isNew: false });
/** @param {Snapshot} state @returns {Step} */
const gap = (state) => ({ state, isGap: true, isNew: false });

/** How each event is taken. `isComplete`: nothing was left out between the state and it.
 * @type {Record<string, (state: Snapshot, payload: any, isComplete: boolean) => Step>} */
const HEARD = {
  moved: hearMoved,
  state: hearState,
  snapshot: hearSnapshot,
  presence: (state, presence) => same({ ...state, presence }),
  rematch: (state, { player, ...told }) => hearCounted(state, told, { rematch_offer: player }),
  asked: (state, { ply, ...told }) => hearCounted(state, told, { asked: ply }),
};

/** The events that change a state. */
export const EVENTS = Object.keys(HEARD);

/** The state after something that was told. @param {Snapshot} state @param {Told} told @param {boolean} [isComplete]
 * @returns {Step} */
export function after(state, { event, payload }, isComplete = false) {
  const isElsewhere = payload.room !== undefined && payload.room !== state.room;
  return isElsewhere || !HEARD[event] ? same(state) : HEARD[event](state, payload, isComplete);
}

/** @param {Snapshot} state @param {Moved} moved */
function hearMoved(state, moved) {
  const is = order(state, moved);
  if (is === "old") return same(state);
  return is === "next" && moved.ply === state.ply + 1 ? same(afterMove(state, moved)) : gap(state);
}

/** A state may tell of several events at once, those after `since`, and may come again for the version that is shown: when
 * clocks stop. @param {Snapshot} state @param {GameState} told @param {boolean} isComplete
 * @returns {Step} */
function hearState(state, told, isComplete) {
  if (told.game !== state.game) return gap(state);
  if (told.v < state.v || (isComplete && told.v === state.v)) return same(state);
  if (!isComplete && (told.since ?? told.v - 1) > state.v) return gap(state);
  if (!isSeatedAlike(state, told)) return { state, isGap: false, isNew: true };
  return told.ply === state.ply ? same(afterState(state, told)) : gap(state);
}

/** @param {Snapshot} state @param {Snapshot} told @param {boolean} isComplete @returns {Step} */
function hearSnapshot(state, told, isComplete) {
  if (told.number < state.number) return same(state);
  if (told.game !== state.game) return { state, isGap: false, isNew: true };
  if (told.v < state.v || (isComplete && told.v === state.v)) return same(state);
  return { state: { ...state, ...told }, isGap: false, isNew: !isSeatedAlike(state, told) };
}

/** What changes one thing only. Older servers didn't count it. @param {Snapshot} state @param {{game: string, v?: number}} told
 * @param {Partial<Snapshot>} change */
function hearCounted(state, { game, v }, change) {
  const is = order(state, { game, v: v ?? state.v + 1 });
  if (is !== "next") return is === "old" ? same(state) : gap(state);
  return same({ ...state, ...change, v: v ?? state.v });
}

/** Whether an event follows the state, repeats what it has, or leaves a gap.
 * @param {{game: string, v: number}} state @param {{game: string, v: number}} payload
 * @returns {"next" | "old" | "gap"} */
function order(state, payload) {
  if (payload.game !== state.game) return "gap";
  if (payload.v <= state.v) return "old";
  return payload.v === state.v + 1 ? "next" : "gap";
}

/** @param {{players: {taken: boolean}[]}} state @param {{players: {taken: boolean}[]}} told */
function isSeatedAlike(state, told) {
  return told.players.every((player, at) => player.taken === state.players[at].taken);
}

/** The state after a move. @param {Snapshot} state @param {Moved} moved @returns {Snapshot} */
function afterMove(state, moved) {
  const { pieces, block, unblock, move, cells, ...rest } = moved;
  return {
    ...state,
    ...rest,
    score: moved.score ?? state.score,
    board: { ...state.board, pieces, blocked: changed(state.board.blocked, block, unblock) },
    moves: state.moves ? `${state.moves} ${move}` : move,
    last: cells,
  };
}

/** The state after anything else that happened in the game. @param {Snapshot} state @param {GameState} told
 * @returns {Snapshot} */
function afterState(state, told) {
  const isOn = !told.outcome && told.players.every((player) => player.taken);
  return { ...state, ...told, room: state.room, score: told.score ?? state.score, choices: isOn ? state.choices : null };
}

/** The state with what an answer to `enter` or `sync` says: never back to what it was before, but always as who we are.
 * @param {Snapshot | null} state @param {Snapshot} snapshot @returns {Snapshot} */
export function afterEntering(state, snapshot) {
  if (!state || state.room !== snapshot.room || snapshot.number > state.number) return snapshot;
  if (snapshot.number < state.number) return state;
  if (snapshot.v < state.v) return { ...state, you: snapshot.you, directs: snapshot.directs };
  return { ...state, ...snapshot };
}

/** The moves of a game, one by one. @param {{moves: string}} state */
export function movesOf(state) {
  return state.moves ? state.moves.split(" ") : [];
}
