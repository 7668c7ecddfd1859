import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal, errorWords } from "../../static/js/refusal.js";
import { sentence } from "../../static/js/sentence.js";

test("sentences begin large and end with a stop", () => {
  assert.deepEqual(["no move", "Why?", " wait … ", ""].map(sentence), ["No move.", "Why?", "Wait …", ""]);
  assert.equal(sentence("a1 holds no piece of yours"), "a1 holds no piece of yours.");
});

test("a refusal keeps its code, its values and the game", () => {
  const refusal = new Refusal({ code: "rate", message: "slow down", params: { seconds: 2.5 } }, { game: "g" });
  assert.deepEqual([refusal.code, refusal.params, refusal.seconds, refusal.snapshot], ["rate", { seconds: 2.5 }, 2.5, { game: "g" }]);
  const bare = new Refusal({ code: "rate", message: "slow down", seconds: 1 });
  assert.deepEqual([bare.params, bare.seconds, bare.snapshot], [{}, 1, null]);
});

test("the page says what it knows better, by code and values", () => {
  const words = (/** @type {string} */ code, /** @type {object} */ params = {}) => errorWords(new Refusal({ code, message: "as the server says", params }));
  assert.equal(words("rate", { seconds: 2.1 }), "That was too fast. Try again in 3 s.");
  assert.equal(words("busy"), "The server is busy. Try again.");
  assert.equal(words("too_early", { seconds: 12 }), "You can claim the game in 12 s.");
  assert.equal(words("too_early"), "As the server says.");
  assert.equal(words("invalid", { field: "name" }), "Enter a name, up to 24 characters.");
  assert.equal(words("invalid", { field: "clock" }), "As the server says.");
  assert.equal(words("illegal"), "As the server says.");
});

test("one code may have several causes, each with words of its own", () => {
  const words = (/** @type {string} */ code, /** @type {object} */ params = {}) => errorWords(new Refusal({ code, message: "", params }));
  assert.equal(words("too_late"), "You can't abort a game after the second move. You can resign.");
  assert.equal(words("too_late", { why: "takeback" }), "There's too little time left to take a move back.");
  assert.equal(words("over"), "The game is over.");
  assert.equal(words("over", { why: "replaced" }), "That game is over. There's a newer one in this room.");
});

test("other errors are said as they are", () => {
  assert.equal(errorWords(new Error("not now")), "Not now.");
  assert.equal(errorWords("not an error"), "");
});
