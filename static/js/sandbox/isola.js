// The API of the isola competition in JavaScript, by the names of its text: for bots, in a worker or in Node.

/** A row and a column. Row 0 is at the top, column 0 at the left. */
export class Position {
  constructor(rowNum = 0, colNum = 0) {
    this.row = rowNum;
    this.col = colNum;
  }

  getRow() {
    return this.row;
  }

  getCol() {
    return this.col;
  }

  /** @param {number} row */
  setRow(row) {
    this.row = row;
  }

  /** @param {number} column */
  setCol(column) {
    this.col = column;
  }

  /** @param {number} row @param {number} column */
  setRowCol(row, column) {
    this.row = row;
    this.col = column;
  }

  /** @param {Position} position */
  equals(position) {
    return this.row === position.row && this.col === position.col;
  }
}

/** The board as a competitor sees it, and what it may ask about it. */
export class GameState {
  /** @param {string[]} board rows of 1 (open), 0 (occupied or stolen), A and B
   * @param {number[]} mine @param {number[]} theirs */
  constructor(board, mine, theirs) {
    this.board = board;
    this.mine = mine;
    this.theirs = theirs;
  }

  getBoardInstance() {
    return this.board.map((row) => [...row]);
  }

  /** @param {Position} position */
  isValidSteal(position) {
    return this.contains(position) && this.isMoveable(position);
  }

  /** @param {Position} from @param {Position} to */
  isValidMove(from, to) {
    if (!this.contains(to) || !this.isMoveable(to)) return false;
    return Math.max(Math.abs(from.row - to.row), Math.abs(from.col - to.col)) === 1;
  }

  /** @param {Position} position */
  isMoveable(position) {
    return this.board[position.row][position.col] === "1";
  }

  /** @param {Position} from */
  Up(from) {
    return this.step(from, -1, 0);
  }

  /** @param {Position} from */
  Down(from) {
    return this.step(from, 1, 0);
  }

  /** @param {Position} from */
  Left(from) {
    return this.step(from, 0, -1);
  }

  /** @param {Position} from */
  Right(from) {
    return this.step(from, 0, 1);
  }

  /** @param {Position} from */
  UpLeft(from) {
    return this.step(from, -1, -1);
  }

  /** @param {Position} from */
  UpRight(from) {
    return this.step(from, -1, 1);
  }

  /** @param {Position} from */
  DownLeft(from) {
    return this.step(from, 1, -1);
  }

  /** @param {Position} from */
  DownRight(from) {
    return this.step(from, 1, 1);
  }

  getColumns() {
    return this.board[0].length;
  }

  getRows() {
    return this.board.length;
  }

  getMyPosition() {
    return new Position(this.mine[0], this.mine[1]);
  }

  getOpponentPosition() {
    return new Position(this.theirs[0], this.theirs[1]);
  }

  /** @param {Position} position */
  contains(position) {
    const { row, col } = position;
    return row >= 0 && row < this.getRows() && col >= 0 && col < this.getColumns();
  }

  /** @param {Position} from @param {number} rows @param {number} columns */
  step(from, rows, columns) {
    const to = new Position(from.row + rows, from.col + columns);
    return this.contains(to) ? to : null;
  }
}

/** What a competitor extends. */
export class IPlayer {
  /** @param {GameState} state @returns {Position} */
  getNextMove(state) {
    throw new Error(`getNextMove is not written yet (${state.getRows()} rows)`);
  }

  /** @param {GameState} state @returns {Position} */
  getNextSteal(state) {
    throw new Error(`getNextSteal is not written yet (${state.getRows()} rows)`);
  }
}
