import assert from "node:assert/strict";
import { test } from "node:test";
import { levelFields, wanted } from "../../static/js/newgame.js";

const slider = { key: "slider", title: "Slider", sides: ["H", "V"], levels: [], options: [] };

/** @type {import("../../static/js/protocol.js").Form} */
const friend = { key: "friend", levels: 0, name: true, side: true, clock: true, public: "join", is_public: false };
/** @type {import("../../static/js/protocol.js").Form} */
const computer = { ...friend, key: "computer", levels: 1, name: false, public: "watch" };
/** @type {import("../../static/js/protocol.js").Form} */
const computers = { ...computer, key: "computers", levels: 2, side: false, clock: false, is_public: true };

test("a level is asked for each computer", () => {
  assert.deepEqual(levelFields(friend), []);
  assert.deepEqual(levelFields(computer), [["level", "Level", "3"]]);
  assert.deepEqual(levelFields(computers).map(([name, label]) => [name, label]), [["level", "Player 1"], ["second_level", "Player 2"]]);
});

test("what is chosen becomes what the server is asked for", () => {
  const given = { level: "3", "option.size": "5", "option.first": '"V"', "option.blocks": '"random"', side: "2", clock: "5+3", public: "yes" };
  assert.deepEqual(wanted(slider, computer, given), {
    variant: "slider", opponent: "computer", level: 3, side: 2, public: true,
    options: { size: 5, first: "V", blocks: "random" }, clock: { minutes: 5, increment: 3 },
  });
  assert.deepEqual(wanted(slider, friend, { side: "random", clock: "none" }), { variant: "slider", opponent: "friend", options: {}, clock: null });
  const shown = wanted(slider, computers, { level: "1", second_level: "2" });
  assert.deepEqual([shown.second_level, shown.side], [2, 1]);
});
