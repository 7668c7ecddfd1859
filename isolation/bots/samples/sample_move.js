// A player for classic: the template, with its helper methods, and a simple choice.
const ROWS = 8;
const COLUMNS = 6;
const AROUND = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

/** Whether a square is on the board. */
function isValidSquare([row, column]) {
  return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
}

function isEmptySquare(board, square) {
  return isValidSquare(square) && board[square[0]][square[1]] === null;
}

/** The squares that a player there can move to. */
function availableMoves(board, position) {
  const squares = AROUND.map(([row, column]) => [position[0] + row, position[1] + column]);
  return squares.filter((square) => isEmptySquare(board, square));
}

function emptySquares(board) {
  const every = board.flatMap((cells, row) => cells.map((_, column) => [row, column]));
  return every.filter((square) => isEmptySquare(board, square));
}

/** The square to block and the square to move to: [[row, column], [row, column]]. */
function move(data, playerNumber) {
  const { board, my_position: mine, opponent_position: other } = data;
  const room = (square) => availableMoves(board, square).length;
  const to = availableMoves(board, mine).reduce((best, square) => (room(square) > room(best) ? square : best));
  board[mine[0]][mine[1]] = null;
  board[to[0]][to[1]] = playerNumber;
  const blocks = availableMoves(board, other);
  return [(blocks.length ? blocks : emptySquares(board))[0], to];
}
