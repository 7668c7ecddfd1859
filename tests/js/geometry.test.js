import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName, changed, columnName, has, stripRows } from "../../static/js/board/geometry.js";

const board = { view: "grid", width: 27, height: 27, pieces: [[], []], blocked: "0", protected: [], symbols: ["A", "B"] };

test("columns are a to z, then aa", () => {
  assert.deepEqual([0, 1, 25, 26, 27, 51, 52].map(columnName), ["a", "b", "z", "aa", "ab", "az", "ba"]);
});

test("cells count from the bottom left, row by row", () => {
  assert.deepEqual([0, 1, 27, 728, 729].map((cell) => cellName(board, cell)), ["a1", "b1", "a2", "aa27", "off"]);
  assert.equal(cellName({ ...board, view: "strip", width: 13, height: 1 }, 12), "13");
});

test("bit sets are read, cell 0 being the lowest bit", () => {
  assert.deepEqual([0, 1, 4, 5, 400].map((cell) => has("21", cell)), [true, false, false, true, false]);
});

test("bit sets change by what is added and removed", () => {
  assert.equal(changed("21", "2", "1"), "22");
  assert.equal(changed("0", "8000000000000000000000", "0"), "8000000000000000000000");
});

test("a strip is broken into rows of nearly the same length", () => {
  assert.deepEqual(stripRows(13, 13), { rows: 1, perRow: 13 });
  assert.deepEqual(stripRows(13, 7), { rows: 2, perRow: 7 });
  assert.deepEqual(stripRows(99, 13), { rows: 8, perRow: 13 });
});
