import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutPlayer, clockText, lastMoveWords, playerName, reasonWords, resultWords, sentence, taskWords } from "../../static/js/words.js";

const ann = { kind: "person", name: "Ann", level: null, level_name: null, taken: true };
const robot = { kind: "computer", name: "Computer 3", level: 3, level_name: "Casual", taken: true };
const base = {
  kind: "friend", you: [0], to_move: 0, outcome: null, moves: "", draw_offer: null, takeback_offer: null,
  players: [ann, { ...ann, name: "Ben" }], presence: { players: [true, true], claim_in: [null, null], watchers: 0 },
  choices: { first: [1], then: "open", task: "move your pawn", next_task: "block a square" },
  board: { view: "grid", width: 6, height: 8 },
};
const free = { chosen: [], isPending: false, aimed: null };

test("sentences begin large and end with a stop", () => {
  assert.deepEqual(["no move", "Why?", " wait … ", ""].map(sentence), ["No move.", "Why?", "Wait …", ""]);
});

test("clocks", () => {
  assert.deepEqual([-1, 5.26, 19.99, 20, 61, 3661, 90000].map(clockText), ["0.0", "5.3", "20.0", "0:20", "1:01", "1:01:01", "1 d 1 h"]);
});

test("the task in both steps, for the one who is to move", () => {
  assert.equal(taskWords(base, free), "Your turn: move your pawn.");
  assert.equal(taskWords(base, { ...free, chosen: [3] }), "Your turn: now block a square.");
  assert.equal(taskWords(base, { ...free, aimed: 8 }), "c2: tap again to choose it.");
  assert.equal(taskWords(base, { ...free, isPending: true }), "Sending your move …");
  assert.equal(taskWords({ ...base, you: [0, 1], to_move: 1 }, free), "Player 2: move your pawn.");
});

test("the task of the others", () => {
  assert.equal(taskWords({ ...base, to_move: 1 }, free), "Ben is to move.");
  assert.equal(taskWords({ ...base, to_move: 1, players: [ann, robot] }, free), "Computer 3 is thinking …");
  assert.equal(taskWords({ ...base, choices: null }, free), "Waiting for an opponent.");
  assert.equal(taskWords({ ...base, to_move: 1, draw_offer: 0 }, free), "You have offered a draw.");
});

test("results, for each who reads them", () => {
  const won = { ...base, outcome: { winner: 0, reason: "no move left" } };
  assert.deepEqual([[0], [1], []].map((you) => resultWords({ ...won, you })), ["You have won", "You have lost", "Ann has won"]);
  assert.deepEqual([[0], [1], []].map((you) => reasonWords({ ...won, you })), ["Ben has no move left.", "You have no move left.", "Ben has no move left."]);
  const resigned = { ...base, outcome: { winner: 0, reason: "Player 2 resigned" } };
  assert.deepEqual([[0], [1]].map((you) => reasonWords({ ...resigned, you })), ["Ben resigned.", "You resigned."]);
  assert.equal(resultWords({ ...base, outcome: { winner: null, reason: "agreed" } }), "A draw");
  assert.equal(resultWords({ ...base, outcome: { winner: null, reason: "aborted", aborted: true } }), "The game was called off");
  assert.equal(reasonWords({ ...base, outcome: { winner: 1, reason: "all pieces off the board" } }), "Ben brought all pieces off the board.");
});

test("at one screen players have numbers, not names", () => {
  assert.equal(playerName({ ...base, kind: "local" }, 1), "Player 2");
  assert.equal(resultWords({ ...base, kind: "local", you: [0, 1], outcome: { winner: 1, reason: "x" } }), "Player 2 has won");
});

test("moves read aloud", () => {
  assert.equal(lastMoveWords({ ...base, moves: "c7/d4" }), "c7, blocking d4.");
  assert.equal(lastMoveWords({ ...base, moves: "a2-b2 pass" }), "Passed.");
  assert.equal(lastMoveWords({ ...base, moves: "a2-b2" }), "a2 to b2.");
  assert.equal(lastMoveWords(base), "");
});

test("who sits there", () => {
  assert.equal(aboutPlayer(base, 0), "you");
  assert.equal(aboutPlayer({ ...base, presence: { players: [true, false] } }, 1), "away");
  assert.equal(aboutPlayer({ ...base, players: [ann, robot] }, 1), "Casual");
});
