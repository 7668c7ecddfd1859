// A room for the tests: Ann, who reads, against Ben, in the middle of a game.
export const ann = { kind: "person", name: "Ann", level: null, level_name: null, taken: true, bot: false };
export const ben = { ...ann, name: "Ben" };
export const robot = { ...ann, kind: "computer", name: "Computer 3", level: 3, level_name: "Casual" };

/** What is allowed in a room of friends. */
export const friends = { takeback: true, draw: true, rematch: true, player_chat: true, spectator_chat: true, one_screen: false };

export const base = {
  room: "r", game: "g", number: 1, v: 6, ply: 4, you: [0], to_move: 0, moves: "a1/b1 c1/d1 e1/f1 a2/b2", last: [], outcome: null,
  draw_offer: null, takeback_offer: null, rematch_offer: null, asked: null, has_draws: true, features: friends,
  players: [ann, ben], presence: { players: [true, true], claim_in: [null, null], watchers: 0 },
  left: null, running: false, score: [0, 0],
  choices: { first: [1], then: "open", verb: "move", next_verb: "block", piece: "pawn" },
  board: { view: "grid", width: 6, height: 8, blocked: "1", pieces: [[44], [3]] },
};
