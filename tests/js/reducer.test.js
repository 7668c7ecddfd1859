import assert from "node:assert/strict";
import { test } from "node:test";
import { afterMove, afterState, fits, movesOf, order } from "../../static/js/reducer.js";

const state = {
  game: "g", v: 4, ply: 2, moves: "a1/b1 c1/d1", last: [], to_move: 0, choices: { first: [1] },
  board: { blocked: "1", pieces: [[5], [6]], width: 3 }, players: [{ taken: true }, { taken: true }],
};

test("events follow, repeat, or leave a gap", () => {
  assert.equal(order(state, { game: "g", v: 5 }), "next");
  assert.equal(order(state, { game: "g", v: 4 }), "old");
  assert.equal(order(state, { game: "g", v: 7 }), "gap");
  assert.equal(order(state, { game: "other", v: 5 }), "gap");
});

test("a move changes the board, the list and whose turn it is, and nothing in the old state", () => {
  const before = structuredClone(state);
  const moved = { game: "g", v: 5, ply: 3, move: "e1/f1", cells: [4, 5], pieces: [[4], [6]], block: "20", unblock: "0", to_move: 1, choices: null, outcome: null };
  const after = afterMove(state, moved);
  assert.equal(after.moves, "a1/b1 c1/d1 e1/f1");
  assert.deepEqual(after.board, { blocked: "21", pieces: [[4], [6]], width: 3 });
  assert.deepEqual([after.v, after.ply, after.to_move, after.last], [5, 3, 1, [4, 5]]);
  assert.deepEqual(state, before);
});

test("the first move begins the list", () => {
  const moved = { game: "g", v: 5, move: "a1", cells: [0], pieces: [[], []], block: "0", unblock: "0" };
  assert.equal(afterMove({ ...state, moves: "" }, moved).moves, "a1");
});

test("nothing can be chosen once the game is over", () => {
  const payload = { v: 5, outcome: { winner: 1 }, players: state.players };
  assert.equal(afterState(state, payload).choices, null);
  assert.deepEqual(afterState(state, { ...payload, outcome: null }).choices, state.choices);
});

test("what is told of another board, or of another at the table, does not fit", () => {
  const told = { game: "g", v: 5, ply: 2, players: [{ taken: true }, { taken: true }] };
  assert.ok(fits(state, told));
  assert.ok(!fits(state, { ...told, ply: 1 }));
  assert.ok(!fits(state, { ...told, game: "other" }));
  assert.ok(!fits(state, { ...told, players: [{ taken: true }, { taken: false }] }));
});

test("moves, one by one", () => {
  assert.deepEqual(movesOf({ moves: "a1 b2" }), ["a1", "b2"]);
  assert.deepEqual(movesOf({ moves: "" }), []);
});
