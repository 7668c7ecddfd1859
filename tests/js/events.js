// What a server tells about the game of room.js.

/** A move that follows a state; it goes to the cell with the number of its version. @param {any} state @param {object} [more] */
export function movedAfter({ room, game, v, ply, to_move, board }, more = {}) {
  return {
    room, game, v: v + 1, ply: ply + 1, move: `m${v + 1}`, cells: [v + 1], verbs: ["move"], pieces: [[v + 1], board.pieces[1]], block: "0", unblock: "0",
    to_move: 1 - to_move, left: null, running: false, draw_offer: null, takeback_offer: null,
    choices: { first: [1], then: null, task: "move" }, outcome: null, ...more,
  };
}

/** All but the board, an event later. @param {any} state @param {object} [more] */
export function stateAfter({ room, game, v, ply, to_move, players, left, running, draw_offer, takeback_offer, rematch_offer, asked, outcome, score }, more = {}) {
  return {
    room, game, v: v + 1, ply, to_move, players, left, running, draw_offer, takeback_offer, rematch_offer, asked, outcome, score, ...more,
  };
}
