import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../static/js/history.js";
import { Lookback } from "../../static/js/lookback.js";
import { base } from "./room.js";

const board = { blocked: "0", pieces: [[0], [1]] };
const turn = (/** @type {string} */ move) => ({ move, cells: [2], verbs: ["move"], pieces: [[2], [1]], block: "0", unblock: "0", to_move: 1 });
const history = () => new History({ board, turns_board: false, turns: base.moves.split(" ").map(turn) }, 0);

function begin() {
  const loads = [];
  const back = new Lookback(() => new Promise((resolve) => loads.push(() => resolve(history()))));
  back.follow(base);
  return { back, loads };
}
const nothing = () => null;

test("looking back fetches the game once", async () => {
  const { back, loads } = begin();
  const waits = [];
  const first = back.go(1, (ply) => waits.push(ply));
  loads[0]();
  assert.equal(await first, true);
  assert.equal(await back.go(2, (ply) => waits.push(ply)), true);
  assert.deepEqual([back.viewed, waits, loads.length], [2, [1], 1]);
  assert.deepEqual(back.frame?.last, [2]);
  await back.go(9, nothing);
  assert.deepEqual([back.viewed, back.frame], [null, null]);
});

test("what was asked for last counts", async () => {
  const { back, loads } = begin();
  const both = [back.go(1, nothing), back.go(2, nothing)];
  loads.forEach((load) => load());
  assert.deepEqual(await Promise.all(both), [false, true]);
  assert.equal(back.viewed, 2);
});

test("what is looked at stays while the game goes on by the same way", async () => {
  const { back, loads } = begin();
  const went = back.go(3, nothing);
  loads[0]();
  await went;
  back.follow({ ...base, ply: 5, moves: `${base.moves} c3/d3` });
  assert.equal(back.viewed, 3);
  back.follow({ ...base, ply: 3, moves: "a1/b1 c1/d1 e1/f1" }); // taken back
  assert.equal(back.viewed, null);
});

test("in another game one looks at what is on", async () => {
  const { back, loads } = begin();
  const went = back.go(3, nothing);
  loads[0]();
  await went;
  back.follow({ ...base, game: "h" });
  assert.equal(back.viewed, null);
});
