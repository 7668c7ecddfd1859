// Which cells have been chosen of a move, and which may come next. The server says what is legal.
import { has } from "./geometry.js";

/** @typedef {import("../protocol.js").Choices} Choices */
/** @typedef {import("../protocol.js").Board} Board */

/** The cells that may be chosen after those chosen so far.
 * @param {Choices | null} choices @param {Board} board
 * @param {number} toMove @param {number[]} chosen @returns {number[]} */
export function nextCells(choices, board, toMove, chosen) {
  if (!choices || chosen.length > 1) return [];
  if (chosen.length === 0) return choices.first;
  if (choices.then === null) return [];
  if (choices.then !== "open") return choices.then[String(chosen[0])] ?? [];
  return openCells(board, toMove, chosen[0]);
}

/** Any open cell, the one just left among them, but not the one stepped to.
 * @param {Board} board @param {number} toMove @param {number} to */
function openCells(board, toMove, to) {
  const other = board.pieces[1 - toMove];
  const cells = [];
  for (let cell = 0; cell < board.width * board.height; cell++) {
    const isOpen = !has(board.blocked, cell) && !other.includes(cell);
    if (isOpen && cell !== to && !board.protected.includes(cell)) cells.push(cell);
  }
  return cells;
}

/** What a click on a cell makes of the cells chosen so far: a whole move, a part of one, or a miss that changes nothing.
 * @param {Choices | null} choices @param {Board} board
 * @param {number} toMove @param {number[]} chosen @param {number} cell
 * @returns {{chosen: number[], is: "whole" | "part" | "miss"}} */
export function choose(choices, board, toMove, chosen, cell) {
  if (nextCells(choices, board, toMove, chosen).includes(cell)) {
    const longer = [...chosen, cell];
    return { chosen: longer, is: nextCells(choices, board, toMove, longer).length ? "part" : "whole" };
  }
  if (chosen.length === 1 && cell === chosen[0]) return { chosen: [], is: "part" }; // the same again undoes it
  if (chosen.length === 1 && choices?.first.includes(cell)) return { chosen: [cell], is: "part" };
  return { chosen, is: "miss" };
}

/** Whether a turn begins with the choice of a piece. @param {Choices | null} choices */
export function isPieceFirst(choices) {
  return choices !== null && choices.then !== null && choices.then !== "open";
}

/** The cells that dragging a piece from one cell to another chooses.
 * @param {Choices | null} choices @param {number} from @param {number} to */
export function dragged(choices, from, to) {
  return isPieceFirst(choices) ? [from, to] : [to];
}
