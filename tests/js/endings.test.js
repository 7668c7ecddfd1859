import assert from "node:assert/strict";
import { test } from "node:test";
import { faultWords, plainEnding, plainResult, reasonWords, resultWords } from "../../static/js/endings.js";
import { ann, base, robot } from "./room.js";

/** @param {object} outcome */
const ended = (outcome) => ({ ...base, outcome: { winner: null, player: null, detail: "", message: "", ...outcome } });
const readers = [[0], [1], []];

test("results, for each who reads them", () => {
  const won = ended({ winner: 0, reason: "no_moves", player: 1 });
  assert.deepEqual(readers.map((you) => resultWords({ ...won, you })), ["You won!", "You lost", "Ann wins"]);
  assert.equal(resultWords(ended({ reason: "agreed" })), "A draw");
  assert.equal(resultWords(ended({ reason: "aborted", aborted: true })), "Game aborted");
  assert.equal(resultWords({ ...won, you: [0, 1], features: { one_screen: true } }), "Player 1 wins");
  assert.equal(resultWords(base), "");
});

test("reasons about a player, for each who reads them", () => {
  const words = {
    no_moves: ["Ben has no moves left.", "You have no moves left.", "Ben has no moves left."],
    discards: ["Ben made four invalid turns in a row.", "You made four invalid turns in a row.", "Ben made four invalid turns in a row."],
    resigned: ["Ben resigned.", "You resigned.", "Ben resigned."],
    time: ["Ben ran out of time.", "You ran out of time.", "Ben ran out of time."],
    left: ["Ben left the game.", "You left the game.", "Ben left the game."],
    abandoned: ["Ben didn't move for a long time.", "You didn't move for a long time.", "Ben didn't move for a long time."],
  };
  for (const [reason, expected] of Object.entries(words)) {
    const state = ended({ winner: 0, reason, player: 1 });
    assert.deepEqual(readers.map((you) => reasonWords({ ...state, you })), expected);
    assert.deepEqual(reasonWords({ ...state, outcome: { ...state.outcome, player: null } }), expected[0]); // the loser then
  }
  const off = ended({ winner: 0, reason: "all_off", player: 0 });
  assert.deepEqual(readers.map((you) => reasonWords({ ...off, you })), [
    "You brought all your pieces off the board.", "Ann brought all pieces off the board.", "Ann brought all pieces off the board.",
  ]);
});

test("a game that was left can be a draw", () => {
  const state = ended({ winner: null, reason: "left", player: 1 });
  assert.deepEqual([resultWords(state), reasonWords(state)], ["A draw", "Ben left the game."]);
});

test("reasons about the game", () => {
  const words = {
    two_passes: "Both players had to pass.", repetition: "The same position came up three times.", agreed: "Draw agreed.",
    unstated: "", aborted: "",
  };
  for (const [reason, expected] of Object.entries(words)) assert.equal(reasonWords(ended({ reason })), expected);
});

test("a bot's fault says why", () => {
  const state = ended({ winner: 1, reason: "fault", player: 0, detail: "it took longer than 100 ms" });
  assert.equal(reasonWords({ ...state, you: [] }), "Ann's bot made a fault: it took longer than 100 ms.");
  assert.equal(reasonWords(state), "Your bot made a fault: it took longer than 100 ms.");
  assert.equal(reasonWords({ ...state, you: [], players: [{ ...ann, name: "Robo", bot: true }, robot] }), "Robo made a fault: it took longer than 100 ms.");
  assert.equal(faultWords({ detail: "" }), "made a fault");
});

test("a code that the page doesn't know is said as the server says it", () => {
  assert.equal(reasonWords(ended({ winner: 0, reason: "comet", message: "Player 2 was hit by a comet" })), "Player 2 was hit by a comet.");
  assert.equal(reasonWords(ended({ winner: 0, reason: "other", detail: "adjudication" })), "Adjudication.");
  assert.equal(reasonWords(ended({ winner: 0, reason: "comet", message: undefined })), "");
});

test("for those who look on, in one line", () => {
  const { outcome } = ended({ winner: 0, reason: "no_moves", player: 1 });
  assert.equal(plainEnding(outcome, ["A", "B"]), "A wins. B has no moves left.");
  assert.equal(plainResult(outcome, ["A", "B"]), "A wins");
  assert.equal(plainEnding({ ...outcome, winner: null, reason: "unstated" }, ["A", "B"]), "A draw.");
});
