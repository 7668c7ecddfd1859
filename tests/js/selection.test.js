import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, nextCells } from "../../static/js/board/selection.js";

// 3 x 3: Player 1 on 1, Player 2 on 7, cell 4 blocked, cell 8 never to be blocked.
const board = { view: "grid", width: 3, height: 3, pieces: [[1], [7]], blocked: "10", protected: [8], symbols: ["1", "2"] };
const step = { first: [0, 2, 3, 5], then: /** @type {const} */ ("open"), task: "move", next_task: "block" };
const slide = { first: [1], then: { 1: [2, 9] }, task: "move", next_task: "say where" };
const claim = { first: [0, 2], then: null, task: "claim" };

test("the first cells are those the server gave", () => {
  assert.deepEqual(nextCells(step, board, 0, []), [0, 2, 3, 5]);
  assert.deepEqual(nextCells(null, board, 0, []), []);
});

test("open means every open cell, the one just left too, but not the one stepped to", () => {
  assert.deepEqual(nextCells(step, board, 0, [0]), [1, 2, 3, 5, 6]);
});

test("a turn of two cells is whole after the second", () => {
  assert.deepEqual(choose(step, board, 0, [], 0), { chosen: [0], isWhole: false });
  assert.deepEqual(choose(step, board, 0, [0], 1), { chosen: [0, 1], isWhole: true });
});

test("a piece may leave the board", () => {
  assert.deepEqual(choose(slide, board, 0, [1], 9), { chosen: [1, 9], isWhole: true });
});

test("one cell can be a whole move", () => {
  assert.deepEqual(choose(claim, board, 0, [], 2), { chosen: [2], isWhole: true });
});

test("the same cell again, or one that can not be chosen, takes the first step back", () => {
  assert.deepEqual(choose(step, board, 0, [0], 0), { chosen: [], isWhole: false });
  assert.deepEqual(choose(step, board, 0, [0], 4), { chosen: [], isWhole: false });
  assert.deepEqual(choose(claim, board, 0, [], 7), { chosen: [], isWhole: false });
});

test("another piece can be chosen instead", () => {
  const two = { first: [1, 3], then: { 1: [2], 3: [6] }, task: "move" };
  assert.deepEqual(choose(two, board, 0, [1], 3), { chosen: [3], isWhole: false });
});
