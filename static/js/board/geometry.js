// Where cells are. Cells count from 0 at the bottom left, row by row upwards.

/** @typedef {import("../protocol.js").Board} Board */

/** @param {Board} board @param {number} cell */
export function place(board, cell) {
  return { column: cell % board.width, row: Math.floor(cell / board.width) };
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

/** How a board lies on the screen: cells are spots, counted from the top left. */
export class Layout {
  /** @param {Board} board @param {boolean} isFlipped @param {number} most cells in a row of a strip */
  constructor(board, isFlipped, most) {
    this.board = board;
    this.isFlipped = isFlipped;
    this.isStrip = board.view === "strip";
    const strip = stripRows(board.width, most);
    this.columns = this.isStrip ? strip.perRow : board.width;
    this.rows = this.isStrip ? strip.rows : board.height;
  }

  /** @param {number} cell */
  spot(cell) {
    if (this.isStrip) return { x: cell % this.columns, y: Math.floor(cell / this.columns) };
    const { column, row } = place(this.board, cell);
    return this.isFlipped
      ? { x: this.columns - 1 - column, y: row }
      : { x: column, y: this.rows - 1 - row };
  }

  /** The cell at a spot, or -1 where there is none. @param {number} x @param {number} y */
  cellAt(x, y) {
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return -1;
    if (this.isStrip) return y * this.columns + x < this.board.width ? y * this.columns + x : -1;
    const column = this.isFlipped ? this.columns - 1 - x : x;
    const row = this.isFlipped ? y : this.rows - 1 - y;
    return row * this.board.width + column;
  }

  /** Which way is off the board for a player who leaves it: the first to the right, the second up.
   * @param {number} player */
  way(player) {
    const turn = this.isFlipped ? -1 : 1;
    return player === 0 ? { x: turn, y: 0 } : { x: 0, y: -turn };
  }

  /** Two layouts of one name place every cell alike. */
  get name() {
    return `${this.board.width}x${this.board.height} ${this.columns}x${this.rows} ${this.isFlipped}`;
  }
}
