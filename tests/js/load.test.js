// The shapes in which a bot's text may come.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asFault, loadBot } from "../../static/js/sandbox/load.js";

const REQUEST = { data: { a: 1 }, player: 1 };
const SHAPES = {
  "a function": "function move(data, player) { return [data, player]; }",
  "an arrow": "const move = (data, player) => [data, player];",
  "the template": "module.exports = function () { this.move = function (data, player) { return [data, player]; }; };",
  "a class": "module.exports = class { move(data, player) { return [data, player]; } };",
  "an object": "module.exports = { move: (data, player) => [data, player] };",
  "an export by name": "exports.move = function (data, player) { return [data, player]; };",
  "an exported function": "module.exports = function (data, player) { return [data, player]; };",
  "an exported arrow": "module.exports = (data, player) => [data, player];",
  "a promise": "async function move(data, player) { return [data, player]; }",
  "names of ours": "const Position = 1, console = 2, require = 3; let module, exports; function move(...all) { return all; }",
  "sloppy text": "function move(data, player) { with ({ x: 010 }) { y = x; } return y === 8 && arguments.callee ? [data, player] : 0; }",
  "strict text": "// mine\n'use strict'; function move(data, player) { return this === undefined ? [data, player] : 0; }",
};

for (const [shape, text] of Object.entries(SHAPES)) {
  test(`${shape} is a bot`, async () => {
    const bot = loadBot(text, "mine", {});
    assert.deepEqual([bot.api, bot.name], ["move", "mine"]);
    assert.deepEqual(await bot.call(REQUEST), [REQUEST.data, 1]);
  });
}

/** What is said of a text. @param {string} text */
function said(text) {
  try {
    loadBot(text, "mine", {});
  } catch (error) {
    return asFault(error);
  }
  return null;
}

test("what is wrong with a text is said, with the line", () => {
  assert.match(said("module.exports = function () {};")?.fault ?? "", /there is no bot in this file/);
  assert.match(said("module.exports = 7;")?.fault ?? "", /there is no bot in this file/);
  assert.deepEqual(said("module.exports = function () {\n  this.x = nothing;\n};"), {
    fault: "ReferenceError: nothing is not defined",
    line: 2,
  });
  assert.deepEqual(said("\nconst fs = require('fs');"), {
    fault: `Error: require("fs") isn't possible: a bot is one file and can't load others`,
    line: 2,
  });
});

test("one object plays a match, and another the next", async () => {
  const bot = loadBot("module.exports = function () { this.n = 0; this.move = function () { return ++this.n; }; };", "mine", {});
  const match = (/** @type {string} */ id) => ({ id, player_number: 0, total_games: 2 });
  const numbers = [];
  for (const id of ["a", "b", "a", "b"]) {
    await bot.begin(match(id));
    numbers.push(await bot.call(REQUEST));
    await bot.end({ winner: 0 });
  }
  await bot.endMatch("a", {});
  await bot.begin(match("a"));
  numbers.push(await bot.call(REQUEST));
  assert.deepEqual(numbers, [1, 1, 2, 2, 1]);
});
