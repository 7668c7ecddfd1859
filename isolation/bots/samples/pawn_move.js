// A player for classic and isola: the template, with its helper methods, and a simple choice.
//
// move(data, playerNumber) is called once a turn. data has
//   player_number      0 or 1
//   my_position        [row, column] of your pawn; row 0 is at the top
//   opponent_position  [row, column] of the other
//   board              rows of squares: null is empty, -1 is blocked, 0 or 1 is a player
// It returns [[row, column] to block, [row, column] to move to]. The move comes first: you may block the square you left.

const AROUND = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

/** Whether a square is on the board. */
function isValidSquare(board, [row, column]) {
  return row >= 0 && row < board.length && column >= 0 && column < board[0].length;
}

function isEmptySquare(board, square) {
  return isValidSquare(board, square) && board[square[0]][square[1]] === null;
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

/** The board after a player has moved. */
function moved(board, from, to, playerNumber) {
  const copy = board.map((cells) => [...cells]);
  copy[from[0]][from[1]] = null;
  copy[to[0]][to[1]] = playerNumber;
  return copy;
}

/** The one with the highest score. */
function best(squares, score) {
  return squares.reduce((one, other) => (score(other) > score(one) ? other : one));
}

function move(data, playerNumber) {
  const { board, my_position: mine, opponent_position: theirs } = data;
  const to = best(availableMoves(board, mine), (square) => availableMoves(board, square).length);
  const after = moved(board, mine, to, playerNumber);
  // Block the way out of which the opponent would have the most further ways.
  const ways = availableMoves(after, theirs);
  const block = ways.length ? best(ways, (square) => availableMoves(after, square).length) : emptySquares(after)[0];
  return [block, to];
}
