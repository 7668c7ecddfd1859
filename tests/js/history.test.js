import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../static/js/history.js";

const positions = {
  board: { width: 3, height: 3, blocked: "0", pieces: [[7], [1]] },
  turns: [
    { move: "b2/a1", cells: [4, 0], pieces: [[4], [1]], block: "1", unblock: "0", to_move: 1 },
    { move: "discard", cells: [], pieces: [[4], [1]], block: "0", unblock: "0", to_move: 0 },
    { move: "c3/b3", cells: [8, 7], pieces: [[8], [1]], block: "80", unblock: "0", to_move: 1 },
  ],
};

test("every position follows from the turns", () => {
  const { frames, moves } = new History(positions, 0);
  assert.deepEqual(moves, ["b2/a1", "discard", "c3/b3"]);
  assert.deepEqual(frames.map((frame) => frame.board.blocked), ["0", "1", "1", "81"]);
  assert.deepEqual(frames.map((frame) => frame.board.pieces[0]), [[7], [4], [4], [8]]);
  assert.deepEqual(frames.map((frame) => frame.toMove), [0, 1, 0, 1]);
  assert.deepEqual(frames[0].last, []);
});

test("a history knows the way to a position, and not another way", () => {
  const history = new History(positions, 0);
  const longer = ["b2/a1", "discard", "c3/b3", "c1/c2"];
  assert.ok(history.knows(longer, 3));
  assert.ok(!history.knows(longer, 4));
  assert.ok(history.knows(["b2/a1", "discard", "c3/a3"], 2));
  assert.ok(!history.knows(["b2/a1", "discard", "c3/a3"], 3));
});
