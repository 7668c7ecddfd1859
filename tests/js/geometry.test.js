import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout, changed, has, stripRows } from "../../static/js/board/geometry.js";
import { cellName, columnName, nativeName, sideWords } from "../../static/js/board/names.js";

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

test("the coordinates of a game's own text", () => {
  const grid = { view: "grid", width: 6, height: 8, coordinates: { words: "", origin: [7, 0], right: [0, 1], up: [-1, 0] } };
  assert.equal(nativeName(grid, 0), "(7, 0)");
  assert.equal(nativeName(grid, 44), "(0, 2)");
  assert.equal(nativeName(grid, 48), "");
  const strip = { view: "strip", width: 13, height: 1, coordinates: { words: "", origin: [1], right: [1], up: [0] } };
  assert.equal(nativeName(strip, 6), "7");
});

test("a layout puts every cell at one spot, whichever way the board is turned", () => {
  for (const board of [{ view: "grid", width: 5, height: 3 }, { view: "strip", width: 11, height: 1 }]) {
    for (const isFlipped of [false, true]) {
      const layout = new Layout(board, isFlipped, 7);
      for (let cell = 0; cell < board.width * board.height; cell++) {
        const { x, y } = layout.spot(cell);
        assert.equal(layout.cellAt(x, y), cell);
      }
      assert.equal(layout.cellAt(-1, 0), -1);
      assert.equal(layout.cellAt(0, layout.rows), -1);
    }
  }
});

test("pieces leave to the right and upwards, or the other way round", () => {
  const board = { view: "grid", width: 6, height: 6 };
  assert.deepEqual([0, 1].map((player) => new Layout(board, false, 7).way(player)), [{ x: 1, y: 0 }, { x: 0, y: -1 }]);
  assert.equal(new Layout(board, true, 7).way(0).x, -1);
});

test("a side is told with its letter where it has one", () => {
  assert.deepEqual([sideWords(["1", "2"], 1), sideWords(["H", "V"], 0)], ["Player 2", "Player 1, H"]);
});
