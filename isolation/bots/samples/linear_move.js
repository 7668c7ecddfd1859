// A player for linear: the template, with its helper methods, and a simple choice.
//
// move(data, playerNumber) is called once a turn. data has
//   player_number       0 or 1
//   my_positions        the [row, column] of each square you have claimed; the row is always 0
//   opponent_positions  the same of the other
//   board               one row of squares: null is unclaimed, 0 or 1 is claimed
// It returns the number of the square to claim, from 1.

/** Whether a square can be claimed: it and its neighbours are unclaimed. */
function isFree(row, number) {
  return number >= 1 && number <= row.length && [number - 1, number, number + 1].every((one) => (row[one - 1] ?? null) === null);
}

/** The numbers of all squares that can be claimed. */
function availableMoves(row) {
  return row.map((_, at) => at + 1).filter((number) => isFree(row, number));
}

/** How long each stretch of squares is that can be claimed. */
function stretches(row) {
  const found = [];
  row.forEach((_, at) => {
    if (!isFree(row, at + 1)) return;
    if (isFree(row, at)) found[found.length - 1] += 1;
    else found.push(1);
  });
  return found;
}

function move(data, playerNumber) {
  const [row] = data.board;
  const after = (number) => row.map((value, at) => (at === number - 1 ? playerNumber : value));
  // Leave stretches that come in pairs: whatever the opponent does in one of them, you can do in the other.
  const isPaired = (number) => {
    const lengths = stretches(after(number)).sort((one, other) => one - other);
    return lengths.length % 2 === 0 && lengths.every((length, at) => length === lengths[at ^ 1]);
  };
  const moves = availableMoves(row);
  return moves.find(isPaired) ?? moves[Math.floor(moves.length / 2)];
}
