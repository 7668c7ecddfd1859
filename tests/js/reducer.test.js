import assert from "node:assert/strict";
import { test } from "node:test";
import { after, afterEntering, movesOf } from "../../static/js/reducer.js";
import { ann, base } from "./room.js";
import { movedAfter, stateAfter } from "./events.js";

const state = base;
/** What an event makes of the state. @param {string} event @param {object} payload @param {object} [from] @param {boolean} [isComplete] */
const hear = (event, payload, from = state, isComplete = false) => after(from, { event, payload }, isComplete);

test("a move changes the board, the list and whose turn it is, and nothing in the old state", () => {
  const before = structuredClone(state);
  const { state: next, isGap } = hear("moved", { ...movedAfter(state), block: "20", score: [1, 0] });
  assert.equal(isGap, false);
  assert.equal(next.moves, `${state.moves} m7`);
  assert.deepEqual(next.board, { ...state.board, blocked: "21", pieces: [[7], [3]] });
  assert.deepEqual([next.v, next.ply, next.to_move, next.last, next.score], [7, 5, 1, [7], [1, 0]]);
  assert.deepEqual(state, before);
});

test("the first move begins the list", () => {
  const fresh = { ...state, moves: "", ply: 0 };
  assert.equal(hear("moved", movedAfter(fresh), fresh).state.moves, "m7");
});

test("a move that was told before changes nothing, and one too far ahead leaves a gap", () => {
  const told = movedAfter(state);
  assert.deepEqual(hear("moved", { ...told, v: 6 }), { state, isGap: false, isNew: false });
  assert.deepEqual(hear("moved", { ...told, v: 8, ply: 6 }), { state, isGap: true, isNew: false });
  assert.ok(hear("moved", { ...told, ply: 7 }).isGap);
  assert.ok(hear("moved", { ...told, game: "other" }).isGap);
});

test("what is told of another room changes nothing", () => {
  for (const event of ["moved", "state", "snapshot", "presence", "rematch", "asked"]) {
    assert.deepEqual(hear(event, { room: "elsewhere", game: "x", v: 99 }), { state, isGap: false, isNew: false });
  }
});

test("nothing can be chosen once the game is over", () => {
  const over = stateAfter(state, { outcome: { winner: 1 }, score: [0, 1] });
  assert.deepEqual([hear("state", over).state.choices, hear("state", over).state.score], [null, [0, 1]]);
  assert.deepEqual(hear("state", stateAfter(state)).state.choices, state.choices);
});

test("the same version again is taken: that's how clocks stop and start", () => {
  const told = { ...stateAfter(state), v: 6, left: [60, 50], running: false };
  assert.deepEqual(hear("state", told).state.left, [60, 50]);
  assert.equal(hear("state", { ...told, v: 5 }).state, state);
});

test("a state tells of several events at once; one that doesn't follow hides a gap, unless it's known to be complete", () => {
  const told = { ...stateAfter(state), v: 9, since: 7, draw_offer: 1 };
  assert.equal(hear("state", { ...told, since: 6 }).state.v, 9);
  assert.deepEqual(hear("state", told), { state, isGap: true, isNew: false });
  const next = hear("state", told, state, true).state;
  assert.deepEqual([next.v, next.draw_offer], [9, 1]);
});

test("what was missed doesn't repeat what is shown", () => {
  assert.equal(hear("state", { ...stateAfter(state), v: 6, running: false }, state, true).state, state);
  assert.equal(hear("snapshot", { ...state, moves: "x" }, state, true).state, state);
});

test("a state of another board is a gap; of other people, a reason to enter", () => {
  assert.ok(hear("state", stateAfter(state, { ply: 3 })).isGap);
  assert.ok(hear("state", stateAfter(state, { game: "other" })).isGap);
  const left = stateAfter(state, { players: [ann, { ...ann, taken: false }] });
  assert.deepEqual(hear("state", left), { state, isGap: false, isNew: true });
});

test("a snapshot is all of a game but who we are", () => {
  const told = { ...state, v: 9, ply: 3, moves: "a1/b1 c1/d1 e1/f1" };
  delete told.you;
  const { state: next, isGap, isNew } = hear("snapshot", told);
  assert.deepEqual([next.v, next.ply, next.you, isGap, isNew], [9, 3, [0], false, false]);
  assert.equal(hear("snapshot", { ...told, v: 5 }).state, state);
});

test("a snapshot of another game, or with other people, is a reason to enter", () => {
  assert.deepEqual(hear("snapshot", { ...state, game: "h", number: 2, v: 0 }), { state, isGap: false, isNew: true });
  assert.deepEqual(hear("snapshot", { ...state, game: "f", number: 0 }), { state, isGap: false, isNew: false });
  const waiting = { ...state, players: [ann, { ...ann, taken: false }] };
  assert.ok(hear("snapshot", { ...state, v: 7 }, waiting).isNew);
  assert.equal(hear("snapshot", { ...state, v: 7 }, waiting).state.v, 7);
});

test("presence has no version", () => {
  const presence = { room: "r", players: [true, false], claim_in: [null, 30], watchers: 2 };
  assert.deepEqual(hear("presence", presence).state, { ...state, presence });
});

test("offers of another game, and asking a contest, are counted", () => {
  const rematch = { room: "r", game: "g", player: 1 };
  assert.deepEqual(hear("rematch", { ...rematch, v: 7 }).state, { ...state, v: 7, rematch_offer: 1 });
  assert.deepEqual(hear("rematch", rematch).state, { ...state, rematch_offer: 1 }); // by an older server
  assert.equal(hear("rematch", { ...rematch, v: 6 }).state, state);
  assert.ok(hear("rematch", { ...rematch, v: 8 }).isGap);
  assert.deepEqual(hear("asked", { room: "r", game: "g", ply: 4, v: 7 }).state, { ...state, v: 7, asked: 4 });
  assert.deepEqual(hear("asked", { room: "r", game: "g", ply: 4 }).state, { ...state, asked: 4 });
});

test("what a page doesn't know changes nothing", () => {
  assert.deepEqual(hear("comet", { game: "g", v: 7 }), { state, isGap: false, isNew: false });
});

test("entering never leads back, but always tells who we are", () => {
  assert.equal(afterEntering(null, state), state);
  assert.equal(afterEntering({ ...state, v: 5 }, state).v, 6);
  const late = afterEntering(state, { ...state, v: 5, ply: 3, you: [1], directs: false });
  assert.deepEqual([late.v, late.ply, late.you, late.directs], [6, 4, [1], false]);
  const rematch = { ...state, game: "h", number: 2, v: 1 };
  assert.equal(afterEntering(state, rematch), rematch);
  assert.equal(afterEntering(rematch, state), rematch);
  const elsewhere = { ...state, room: "s", number: 0 };
  assert.equal(afterEntering(state, elsewhere), elsewhere);
});

test("moves, one by one", () => {
  assert.deepEqual(movesOf({ moves: "a1 b2" }), ["a1", "b2"]);
  assert.deepEqual(movesOf({ moves: "" }), []);
});
