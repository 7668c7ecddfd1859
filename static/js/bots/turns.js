// What a turn looks like action by action: the move, then the steal. Pure: what the server told in, actions out.
import { changed } from "../board/geometry.js";
import { cellName, nativeName } from "../board/names.js";
import { done } from "../tasks.js";

/** @typedef {import("../protocol.js").Board} Board */
/** @typedef {import("../protocol.js").Turn & {calls?: number[], fault?: string}} Turn */

/** One thing that is shown at a time: the board after it, and words for it. `ns` is how long the call took that it came from.
 * @typedef {{player: number, words: string, cells: number[], board: Board, last: number[], toMove: number,
 *   ns: number | null, isFault: boolean}} Action */

/** The actions of a turn that follows a board. @param {Board} board @param {number} player who made the turn @param {Turn} turn
 * @returns {Action[]} */
export function actionsOf(board, player, turn) {
  const blocked = changed(board.blocked, turn.block, turn.unblock);
  const after = { ...board, pieces: turn.pieces, blocked };
  const [first = null, second = null] = turn.calls ?? [];
  const whole = { player, cells: turn.cells, board: after, last: turn.cells, toMove: turn.to_move, ns: first, isFault: false };
  if (!turn.cells.length) return [{ ...whole, words: emptyWords(turn), isFault: turn.move === "discard" }];
  const [verb, secondVerb] = turn.verbs.map(done);
  if (!isTwoFold(turn)) return [{ ...whole, words: `${verb} ${route(board, turn.cells)}` }];
  const stepped = { ...board, pieces: turn.pieces };
  return [
    { ...whole, words: `${verb} ${route(board, turn.cells.slice(0, 1))}`, cells: turn.cells.slice(0, 1), board: stepped, last: turn.cells.slice(0, 1), toMove: player },
    { ...whole, words: `${secondVerb} ${placeWords(board, turn.cells[1])}`, cells: turn.cells.slice(1), ns: second },
  ];
}

/** Whether a turn is a step, and then a square that is taken. @param {Turn} turn */
function isTwoFold(turn) {
  return turn.cells.length === 2 && turn.block !== "0";
}

/** @param {Turn} turn */
function emptyWords(turn) {
  if (turn.move !== "discard") return "passes";
  return `turn discarded${turn.fault ? `: ${turn.fault}` : ""}`;
}

/** @param {Board} board @param {number[]} cells */
function route(board, cells) {
  return cells.length === 1 ? `${board.view === "strip" ? "" : "to "}${placeWords(board, cells[0])}` : cells.map((cell) => placeWords(board, cell)).join(" → ");
}

/** A cell by its name, and as the game's own text has it. @param {Board} board @param {number} cell */
export function placeWords(board, cell) {
  const [name, own] = [cellName(board, cell), nativeName(board, cell)];
  return own && own !== name ? `${name} ${own}` : name;
}

/** Nanoseconds as people read them. @param {number} ns */
export function nanoseconds(ns) {
  return `${Math.round(ns).toLocaleString("en").replaceAll(",", "\u202f")} ns`;
}

/** How long the calls of one player took. */
export class Times {
  constructor() {
    this.calls = 0;
    this.total = 0;
    this.latest = 0;
  }

  /** @param {number} ns */
  add(ns) {
    this.calls += 1;
    this.total += ns;
    this.latest = ns;
  }

  get average() {
    return this.calls ? this.total / this.calls : 0;
  }
}
