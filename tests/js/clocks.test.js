import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, isStopped, isTicking, outageWords, timeLeft } from "../../static/js/clocks.js";
import { base } from "./room.js";

const timed = { ...base, left: [60, 50], running: true };
const stopped = { ...timed, running: false };

test("clocks", () => {
  assert.deepEqual([-1, 5.26, 19.99, 20, 61, 3661, 90000].map(clockText), ["0.0", "5.3", "20.0", "0:20", "1:01", "1:01:01", "1 d 1 h"]);
});

test("only the clock of the player to move runs, and none once the game is over", () => {
  assert.deepEqual([0, 1].map((player) => isTicking(timed, player)), [true, false]);
  assert.deepEqual([0, 1].map((player) => timeLeft(timed, player, 7)), [53, 50]);
  assert.equal(isTicking({ ...timed, outcome: { winner: 0 } }, 0), false);
});

test("a stopped clock doesn't tick", () => {
  assert.deepEqual([0, 1].map((player) => timeLeft(stopped, player, 7)), [60, 50]);
  assert.ok(isStopped(stopped));
  assert.ok(!isStopped(timed));
});

test("clocks that haven't started, or have no more to do, aren't stopped", () => {
  assert.ok(!isStopped({ ...stopped, ply: 1 }));
  assert.ok(!isStopped({ ...stopped, left: null }));
  assert.ok(!isStopped({ ...stopped, outcome: { winner: 0 }, choices: null }));
});

test("an outage is told while it lasts", () => {
  const words = "The server can't save moves right now. Clocks are stopped.";
  assert.equal(outageWords(stopped, false), words);
  assert.equal(outageWords(timed, true), words); // refused, and the clocks' state is on its way
  assert.equal(outageWords(timed, false), "");
  assert.equal(outageWords(base, true), "The server can't save moves right now.");
  assert.equal(outageWords({ ...stopped, outcome: { winner: 0 }, choices: null }, true), "");
});
