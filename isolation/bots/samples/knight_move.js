// A player for knights: the template, with its helper methods, and a simple choice.
//
// move(data, playerNumber) is called once a turn. data has
//   player_number      0 or 1
//   my_position        [row, column] of your token, row 0 at the top; null before you have placed it
//   opponent_position  the same of the other
//   board              rows of squares: null is open, -1 is gone, 0 or 1 is a token
// It returns [row, column]: where to place your token, or where to jump.

const JUMPS = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/** Whether a square is on the board. */
function isValidSquare(board, [row, column]) {
  return row >= 0 && row < board.length && column >= 0 && column < board[0].length;
}

function isEmptySquare(board, square) {
  return isValidSquare(board, square) && board[square[0]][square[1]] === null;
}

function emptySquares(board) {
  const every = board.flatMap((cells, row) => cells.map((_, column) => [row, column]));
  return every.filter((square) => isEmptySquare(board, square));
}

/** The squares that a token there can jump to; before it is placed, all open ones. */
function availableMoves(board, position) {
  if (!position) return emptySquares(board);
  const squares = JUMPS.map(([row, column]) => [position[0] + row, position[1] + column]);
  return squares.filter((square) => isEmptySquare(board, square));
}

/** The one with the highest score. */
function best(squares, score) {
  return squares.reduce((one, other) => (score(other) > score(one) ? other : one));
}

function move(data) {
  const { board, my_position: mine, opponent_position: theirs } = data;
  const isTheirs = (square) => theirs && availableMoves(board, theirs).some(([row, column]) => row === square[0] && column === square[1]);
  // Many ways on from there, and one that the opponent could have had.
  return best(availableMoves(board, mine), (square) => availableMoves(board, square).length + (isTheirs(square) ? 1.5 : 0));
}
