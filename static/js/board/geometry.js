// Where cells are and what they are called. Cells count from 0 at the bottom left, row by row upwards.

/** @typedef {{view: string, width: number, height: number, pieces: number[][], blocked: string,
 *   protected: number[], symbols: string[]}} Board */

/** @param {Board} board @param {number} cell */
export function place(board, cell) {
  return { column: cell % board.width, row: Math.floor(cell / board.width) };
}

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

/** Whether a cell is in a hexadecimal bit set. @param {string} hex @param {number} cell */
export function has(hex, cell) {
  const digit = hex[hex.length - 1 - (cell >> 2)];
  return digit !== undefined && ((parseInt(digit, 16) >> (cell & 3)) & 1) === 1;
}

/** A bit set with some cells more and some less. @param {string} hex @param {string} more @param {string} less */
export function changed(hex, more, less) {
  const set = (BigInt(`0x${hex}`) | BigInt(`0x${more}`)) & ~BigInt(`0x${less}`);
  return set.toString(16);
}

/** How a strip is broken into rows that fit. @param {number} length @param {number} most */
export function stripRows(length, most) {
  const rows = Math.ceil(length / most);
  return { rows, perRow: Math.ceil(length / rows) };
}
