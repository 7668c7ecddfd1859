import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, dragged, nextCells } from "../../static/js/board/selection.js";

// 3 x 3: Player 1 on 1, Player 2 on 7, cell 4 blocked, cell 8 never to be blocked.
const board = { view: "grid", width: 3, height: 3, pieces: [[1], [7]], blocked: "10", protected: [8], symbols: ["1", "2"] };
const step = { first: [0, 2, 3, 5], then: /** @type {const} */ ("open"), verb: "move", next_verb: "block" };
const slide = { first: [1], then: { 1: [2, 9] }, verb: "move", next_verb: "choose" };
const claim = { first: [0, 2], then: null, task: "claim" };

test("the first cells are those the server gave", () => {
  assert.deepEqual(nextCells(step, board, 0, []), [0, 2, 3, 5]);
  assert.deepEqual(nextCells(null, board, 0, []), []);
});

test("open means every open cell, the one just left too, but not the one stepped to", () => {
  assert.deepEqual(nextCells(step, board, 0, [0]), [1, 2, 3, 5, 6]);
});

test("a turn of two cells is whole after the second", () => {
  assert.deepEqual(choose(step, board, 0, [], 0), { chosen: [0], is: "part" });
  assert.deepEqual(choose(step, board, 0, [0], 1), { chosen: [0, 1], is: "whole" });
});

test("a piece may leave the board", () => {
  assert.deepEqual(choose(slide, board, 0, [1], 9), { chosen: [1, 9], is: "whole" });
});

test("one cell can be a whole move", () => {
  assert.deepEqual(choose(claim, board, 0, [], 2), { chosen: [2], is: "whole" });
});

test("the same cell again undoes the first step", () => {
  assert.deepEqual(choose(step, board, 0, [0], 0), { chosen: [], is: "part" });
});

test("a cell that can't be chosen is a miss, and changes nothing", () => {
  assert.deepEqual(choose(step, board, 0, [0], 4), { chosen: [0], is: "miss" });
  assert.deepEqual(choose(slide, board, 0, [1], 5), { chosen: [1], is: "miss" });
  assert.deepEqual(choose(claim, board, 0, [], 7), { chosen: [], is: "miss" });
});

test("dragging a piece chooses it first where the game says so", () => {
  assert.deepEqual(dragged(step, 1, 3), [3]);
  assert.deepEqual(dragged(step, 0, 3), [3]);
  assert.deepEqual(dragged(slide, 1, 2), [1, 2]);
});

test("another piece can be chosen instead", () => {
  const two = { first: [1, 3], then: { 1: [2], 3: [6] }, task: "move" };
  assert.deepEqual(choose(two, board, 0, [1], 3), { chosen: [3], is: "part" });
});
