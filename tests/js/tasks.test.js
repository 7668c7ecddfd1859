import assert from "node:assert/strict";
import { test } from "node:test";
import { done, forbiddenVerb, nextTask } from "../../static/js/tasks.js";

const pawn = { first: [1], then: /** @type {const} */ ("open"), verb: "move", next_verb: "steal", piece: "pawn" };

test("what to do next comes from codes", () => {
  assert.equal(nextTask(pawn, false), "move your pawn");
  assert.equal(nextTask(pawn, true), "now steal a square");
  assert.equal(nextTask({ ...pawn, verb: "place", piece: "token" }, false), "place your token");
  assert.equal(nextTask({ ...pawn, next_verb: "choose", piece: "piece" }, true), "now choose where it goes");
  assert.equal(nextTask({ ...pawn, verb: "from another version" }, false), "make a move");
});

test("what was done, and what can't be", () => {
  assert.deepEqual(["move", "claim", "unheard of"].map(done), ["moves", "claims", "plays"]);
  assert.equal(forbiddenVerb(pawn), "steal");
  assert.equal(forbiddenVerb({ ...pawn, next_verb: undefined }), "choose");
});
