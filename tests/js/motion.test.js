import assert from "node:assert/strict";
import { test } from "node:test";
import { eased, motionBetween } from "../../static/js/board/motion.js";

const board = (pieces, blocked = "0") => ({ width: 4, height: 4, pieces, blocked });

test("a step slides, and a square falls", () => {
  const motion = motionBetween(board([[5], [9]]), board([[6], [9]], "8"));
  assert.deepEqual(motion, { slides: [{ player: 0, from: 5, to: 6 }], leaves: [], comes: [], holes: [3] });
});

test("a piece leaves, a piece comes", () => {
  assert.deepEqual(motionBetween(board([[5, 7], []]), board([[5], []]))?.leaves, [{ player: 0, from: 7 }]);
  assert.deepEqual(motionBetween(board([[], []]), board([[], [2]]))?.comes, [{ player: 1, cell: 2 }]);
});

test("nothing to follow: no board before, another size, the same, or many turns at once", () => {
  assert.equal(motionBetween(null, board([[1], [2]])), null);
  assert.equal(motionBetween({ ...board([[1], [2]]), width: 5 }, board([[1], [2]])), null);
  assert.equal(motionBetween(board([[1], [2]]), board([[1], [2]])), null);
  assert.equal(motionBetween(board([[1, 2], []]), board([[3, 4], []])), null);
});

test("a motion begins at 0 and ends at 1", () => {
  assert.equal(eased(0), 0);
  assert.equal(eased(1), 1);
  assert.ok(eased(0.5) > 0.5);
});
