import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutPlayer, playerName } from "../../static/js/seats.js";
import {
  declinedWords, goneWords, inviteWords, lastMoveWords, missWords, offerWords, pastWords, rematchWords, taskWords,
} from "../../static/js/words.js";
import { ann, base, robot } from "./room.js";

const free = { chosen: [], isPending: false, aimed: null };

test("the task in both steps, for the one who is to move", () => {
  assert.equal(taskWords(base, free), "Your turn: move your pawn.");
  assert.equal(taskWords(base, { ...free, chosen: [3] }), "Your turn: now block a square.");
  assert.equal(taskWords(base, { ...free, aimed: 8 }), "c2: tap again to choose it.");
  assert.equal(taskWords(base, { ...free, isPending: true }), "Sending your move …");
  assert.equal(taskWords({ ...base, you: [0, 1], to_move: 1 }, free), "Player 2: move your pawn.");
});

test("the task of the others", () => {
  assert.equal(taskWords({ ...base, to_move: 1 }, free), "Ben's turn.");
  assert.equal(taskWords({ ...base, to_move: 1, players: [ann, robot] }, free), "Computer 3 is thinking …");
  assert.equal(taskWords({ ...base, choices: null }, free), "Waiting for your opponent.");
  assert.equal(taskWords({ ...base, choices: null, you: [] }, free), "Waiting for a second player.");
  assert.equal(taskWords({ ...base, to_move: 1, draw_offer: 0 }, free), "Ben's turn. You offered a draw.");
  assert.equal(taskWords({ ...base, takeback_offer: 0 }, free), "Your turn: move your pawn. You asked for a takeback.");
  const watched = { ...base, features: { one_screen: true }, you: [], to_move: 1 };
  assert.equal(taskWords(watched, free), "Player 2's turn.");
});

test("at one screen players have numbers, not names", () => {
  assert.equal(playerName({ ...base, features: { one_screen: true } }, 1), "Player 2");
});

test("moves read aloud", () => {
  assert.equal(lastMoveWords({ ...base, moves: "c7/d4" }), "c7, taking away d4.");
  assert.equal(lastMoveWords({ ...base, moves: "a2-b2 pass" }), "Passed.");
  assert.equal(lastMoveWords({ ...base, moves: "a2-b2" }), "a2 to b2.");
  assert.equal(lastMoveWords({ ...base, moves: "" }), "");
});

test("who sits there", () => {
  assert.equal(aboutPlayer(base, 0), "you");
  assert.equal(aboutPlayer({ ...base, presence: { players: [true, false] } }, 1), "away");
  assert.equal(aboutPlayer({ ...base, players: [ann, robot] }, 1), "Casual");
  assert.equal(aboutPlayer({ ...base, players: [ann, { ...ann, name: "Robo", bot: true }] }, 1), "bot");
});

test("offers are told to the other player, and no to the one who asked", () => {
  assert.deepEqual(offerWords({ ...base, draw_offer: 1 }), { kind: "draw", words: "Ben offers a draw." });
  assert.equal(offerWords({ ...base, draw_offer: 0 }), null);
  assert.equal(offerWords({ ...base, draw_offer: 1, you: [] }), null);
  assert.equal(offerWords({ ...base, takeback_offer: 1 })?.words, "Ben asks to take back the last move.");
  assert.equal(offerWords({ ...base, takeback_offer: 1, to_move: 1 })?.words, "Ben asks to take back the last two moves.");
  assert.equal(declinedWords({ ...base, draw_offer: 0 }, base), "Ben declined the draw.");
  assert.equal(declinedWords({ ...base, takeback_offer: 0 }, base), "Ben declined the takeback.");
  assert.equal(declinedWords({ ...base, draw_offer: 0 }, { ...base, ply: 5 }), "");
  assert.equal(declinedWords({ ...base, draw_offer: 1 }, base), "");
});

test("somebody who is gone, looking back, another game", () => {
  assert.match(goneWords(base, 1, 12), /^Ben left. If Ben isn't back in 12 s/);
  assert.match(goneWords(base, 1, 0), /You can claim the win/);
  assert.equal(pastWords(base, 2), "Viewing move 2 of 4. It's your turn.");
  assert.equal(pastWords({ ...base, to_move: 1 }, 0), "Viewing the start.");
  assert.deepEqual([null, 0, 1].map((offer) => rematchWords({ ...base, rematch_offer: offer })), ["Rematch", "Rematch offered …", "Accept rematch"]);
});

test("a square that can't be chosen says why", () => {
  const board = { view: "grid", width: 6, height: 8, pieces: [[44], [3]] };
  const state = { ...base, board };
  assert.equal(missWords(state, [], 44), "Choose a marked square to move to.");
  assert.equal(missWords(state, [], 0), "You can't choose a1. Choose a marked square.");
  assert.equal(missWords(state, [], 3), "That's Ben's piece.");
  assert.equal(missWords(state, [38], 0), "You can't block a1. Choose an open square.");
  assert.equal(missWords({ ...state, to_move: 1 }, [], 0), "It's Ben's turn.");
  assert.equal(missWords({ ...state, you: [] }, [], 0), "");
  assert.equal(missWords({ ...state, choices: null }, [], 0), "");
  const race = { ...state, choices: { first: [43], then: { 43: [49] }, verb: "move", next_verb: "choose", piece: "piece" } };
  assert.equal(missWords(race, [], 44), "That piece can't move now.");
  assert.equal(missWords(race, [], 0), "Choose one of your pieces first.");
  assert.equal(missWords(race, [43], 0), "That piece can't go to a1.");
});

test("a free seat names the host", () => {
  assert.equal(inviteWords({ ...base, players: [{ ...ann, taken: false }, ann] }), "Ann invites you to play");
});
