// What cells and sides are called.
import { place } from "./geometry.js";

/** @typedef {import("../protocol.js").Board} Board */

/** The letters of a column: a to z, then aa. @param {number} column */
export function columnName(column) {
  let name = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** What players call a cell; the number after the last one is off the board.
 * @param {Board} board @param {number} cell */
export function cellName(board, cell) {
  if (cell >= board.width * board.height) return "off";
  if (board.view === "strip") return String(cell + 1);
  const { column, row } = place(board, cell);
  return `${columnName(column)}${row + 1}`;
}

/** A cell in the coordinates of the game's own text: a number, or several in brackets.
 * @param {Board} board @param {number} cell */
export function nativeName(board, cell) {
  const own = board.coordinates;
  if (!own || cell >= board.width * board.height) return "";
  const { column, row } = place(board, cell);
  const numbers = own.origin.map((from, at) => from + column * own.right[at] + row * own.up[at]);
  return numbers.length === 1 ? String(numbers[0]) : `(${numbers.join(", ")})`;
}

/** Which player that is: where pieces have letters, with the letter. @param {string[]} symbols @param {number} player */
export function sideWords(symbols, player) {
  return /^\d$/.test(symbols[player]) ? `Player ${player + 1}` : `Player ${player + 1}, ${symbols[player]}`;
}
