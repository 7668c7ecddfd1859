import assert from "node:assert/strict";
import { test } from "node:test";
import { Times, actionsOf, nanoseconds } from "../../static/js/bots/turns.js";

const isola = {
  view: "grid", width: 3, height: 3, pieces: [[7], [1]], blocked: "0", protected: [], symbols: ["A", "B"],
  coordinates: { words: "", origin: [2, 0], right: [0, 1], up: [-1, 0] },
};
const verbs = ["move", "steal"];

test("a step and a steal are two actions, and the board lies between them", () => {
  const turn = { move: "b2/b3", cells: [4, 7], verbs, pieces: [[4], [1]], block: "80", unblock: "0", to_move: 1, calls: [1500, 700] };
  const [step, steal] = actionsOf(isola, 0, turn);
  assert.deepEqual([step.words, step.ns, step.toMove], ["moves to b2 (1, 1)", 1500, 0]);
  assert.deepEqual([step.board.pieces, step.board.blocked, step.last], [[[4], [1]], "0", [4]]);
  assert.deepEqual([steal.words, steal.ns, steal.toMove], ["steals b3 (0, 1)", 700, 1]);
  assert.deepEqual([steal.board.blocked, steal.last], ["80", [4, 7]]);
});

test("one call for both is counted once", () => {
  const turn = { move: "b2/b3", cells: [4, 7], verbs, pieces: [[4], [1]], block: "80", unblock: "0", to_move: 1, calls: [1500] };
  assert.deepEqual(actionsOf(isola, 0, turn).map((action) => action.ns), [1500, null]);
});

test("a discarded turn says why", () => {
  const turn = { move: "discard", cells: [], verbs: [], pieces: [[7], [1]], block: "0", unblock: "0", to_move: 1, fault: "Error: no" };
  const [only, ...more] = actionsOf(isola, 0, turn);
  assert.deepEqual([only.words, only.isFault, more], ["turn discarded: Error: no", true, []]);
});

test("a slide is one action, and so is a pass", () => {
  const slider = { ...isola, coordinates: undefined };
  const slide = { move: "a2-b2", cells: [3, 4], verbs: ["move", "choose"], pieces: [[4], [1]], block: "0", unblock: "0", to_move: 1 };
  assert.deepEqual(actionsOf(slider, 0, slide).map((action) => action.words), ["moves a2 → b2"]);
  const off = { ...slide, cells: [5, 9] };
  assert.equal(actionsOf(slider, 0, off)[0].words, "moves c2 → off");
  const pass = { ...slide, move: "pass", cells: [], verbs: [] };
  assert.deepEqual(actionsOf(slider, 0, pass).map((action) => [action.words, action.isFault]), [["passes", false]]);
});

test("a claim is named by its number", () => {
  const row = { view: "strip", width: 5, height: 1, pieces: [[], []], blocked: "0", protected: [], symbols: ["1", "2"] };
  const claim = { move: "3", cells: [2], verbs: ["claim"], pieces: [[2], []], block: "0", unblock: "0", to_move: 1 };
  assert.equal(actionsOf(row, 0, claim)[0].words, "claims 3");
});

test("what knights leave behind is not an action of its own", () => {
  const jump = { move: "c1", cells: [2], verbs: ["move"], pieces: [[2], [1]], block: "80", unblock: "0", to_move: 1 };
  assert.equal(actionsOf(isola, 0, jump).length, 1);
});

test("times are averaged", () => {
  const times = new Times();
  assert.equal(times.average, 0);
  times.add(100);
  times.add(300);
  assert.deepEqual([times.calls, times.latest, times.average], [2, 300, 200]);
  assert.equal(nanoseconds(1234567.4), "1\u202f234\u202f567 ns");
});
