import assert from "node:assert/strict";
import { test } from "node:test";
import { actions, claim, panels } from "../../static/js/actions.js";
import { ann, base, ben, friends } from "./room.js";

const none = { takeback: false, draw: false, rematch: false, player_chat: false, spectator_chat: false, one_screen: false };
const over = { ...base, outcome: { winner: 0, reason: "resigned", player: 1 }, choices: null };
const waiting = { ...base, ply: 0, choices: null, players: [ann, { ...ben, taken: false }] };

test("in a game between friends", () => {
  assert.deepEqual(actions(base), { takeback: "now", draw: "now", resign: "now", abort: "no", rematch: "no" });
  assert.deepEqual(actions({ ...base, draw_offer: 1, takeback_offer: 0 }), { takeback: "later", draw: "later", resign: "now", abort: "no", rematch: "no" });
  assert.equal(actions({ ...base, has_draws: false }).draw, "no");
});

test("a game that has hardly begun can be aborted, not resigned", () => {
  const { resign, abort, takeback } = actions({ ...base, ply: 1, to_move: 1 });
  assert.deepEqual([resign, abort, takeback], ["no", "now", "now"]);
  assert.equal(actions({ ...base, ply: 1, to_move: 1, you: [1] }).takeback, "no"); // the move is the other's
  assert.equal(actions({ ...base, ply: 1, to_move: 1, you: [0, 1] }).takeback, "now");
  assert.equal(actions(waiting).abort, "now");
});

test("those who watch can do nothing", () => {
  for (const state of [base, over, waiting]) assert.deepEqual(new Set(Object.values(actions({ ...state, you: [] }))), new Set(["no"]));
});

test("a kind of room says what is allowed in it", () => {
  assert.deepEqual(actions({ ...base, features: none }), { takeback: "no", draw: "no", resign: "now", abort: "no", rematch: "no" });
  assert.equal(actions({ ...over, features: none }).rematch, "no");
});

test("another game, once this one is over", () => {
  assert.deepEqual(actions(over), { takeback: "no", draw: "no", resign: "no", abort: "no", rematch: "now" });
  assert.equal(actions({ ...over, rematch_offer: 0 }).rematch, "later");
  assert.equal(actions({ ...over, rematch_offer: 1 }).rematch, "now");
  assert.equal(actions({ ...over, players: waiting.players }).rematch, "no");
});

test("a free seat is for those who watch, and for those who wait to invite somebody", () => {
  const join = (/** @type {any} */ state) => [panels(state).join, panels(state).invite];
  assert.deepEqual(join(waiting), [false, true]);
  assert.deepEqual(join({ ...waiting, you: [] }), [true, false]);
  assert.deepEqual(join(base), [false, false]);
  assert.deepEqual(join({ ...waiting, outcome: over.outcome }), [false, false]);
});

test("players chat with players, spectators with spectators", () => {
  const chat = (/** @type {object} */ features, /** @type {number[]} */ you) => panels({ ...base, features: { ...friends, ...features }, you }).chat;
  assert.deepEqual([chat({}, [0]), chat({}, [])], [true, true]);
  assert.deepEqual([chat({ player_chat: false }, [0]), chat({ player_chat: false }, [])], [false, true]);
  assert.deepEqual([chat(none, [0, 1]), chat(none, [])], [false, false]);
});

test("a move can be typed by those who play, while the game is on", () => {
  assert.deepEqual([base, over, waiting, { ...base, you: [] }].map((state) => panels(state).move), [true, false, false, false]);
  assert.deepEqual([panels(base).flip, panels({ ...base, board: { view: "strip" } }).flip], [true, false]);
});

test("somebody who is gone can be claimed against, after a while", () => {
  const gone = { ...base, presence: { players: [true, false], claim_in: [null, 30], watchers: 0 } };
  assert.deepEqual(claim(gone, 4.5), { player: 1, seconds: 26 });
  assert.deepEqual(claim(gone, 99), { player: 1, seconds: 0 });
  assert.equal(claim({ ...gone, you: [] }, 0), null);
  assert.equal(claim({ ...gone, you: [1] }, 0), null);
  assert.equal(claim({ ...gone, you: [0, 1] }, 0), null);
  assert.equal(claim({ ...gone, choices: null }, 0), null);
  assert.equal(claim(base, 0), null);
});
