// A player for slider: the template, with its helper methods, and a simple choice.
//
// move(data, playerNumber) is called once a turn, unless you can only pass. data has
//   player_number       0 for H, 1 for V
//   my_positions        the [row, column] of each of your pieces; row 0 is at the top
//   opponent_positions  the same of the other
//   board               rows of squares: null is empty, -1 is blocked, 0 or 1 is a piece
// It returns [[row, column] from, [row, column] to], or [[row, column], null] for a piece that leaves the board.

const UP = [-1, 0];
const DOWN = [1, 0];
const LEFT = [0, -1];
const RIGHT = [0, 1];
// Each player's ways; the first is the one that leads off the board.
const WAYS = [[RIGHT, UP, DOWN], [UP, LEFT, RIGHT]];

/** Whether a square is on the board. */
function isValidSquare(board, [row, column]) {
  return row >= 0 && row < board.length && column >= 0 && column < board.length;
}

function isEmptySquare(board, square) {
  return isValidSquare(board, square) && board[square[0]][square[1]] === null;
}

/** Every move of a player, as it is returned: the way ahead first. */
function availableMoves(board, positions, playerNumber) {
  const moves = [];
  for (const way of WAYS[playerNumber]) {
    for (const from of positions) {
      const to = [from[0] + way[0], from[1] + way[1]];
      if (isEmptySquare(board, to)) moves.push([from, to]);
      else if (way === WAYS[playerNumber][0] && !isValidSquare(board, to)) moves.push([from, null]);
    }
  }
  return moves;
}

/** How far a square is from the edge where a player's pieces leave. */
function distance(board, [row, column], playerNumber) {
  return playerNumber === 0 ? board.length - column : row + 1;
}

function move(data, playerNumber) {
  const { board, my_positions: mine } = data;
  const moves = availableMoves(board, mine, playerNumber);
  // Ahead with the piece that is farthest behind; to the side only when nothing goes ahead.
  const gain = ([from, to]) => {
    const left = to ? distance(board, to, playerNumber) : 0;
    return 100 * (distance(board, from, playerNumber) - left) + distance(board, from, playerNumber);
  };
  const top = Math.max(...moves.map(gain));
  const good = moves.filter((one) => gain(one) === top);
  return good[Math.floor(Math.random() * good.length)];
}
