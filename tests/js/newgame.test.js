import assert from "node:assert/strict";
import { test } from "node:test";
import { wanted } from "../../static/js/newgame.js";

const slider = { key: "slider", title: "Slider", sides: ["H", "V"], levels: [], options: [] };

test("what is chosen becomes what the server is asked for", () => {
  const given = { level: "3", "option.size": "5", "option.first": '"V"', "option.blocks": '"random"', side: "2", clock: "5+3", public: "yes" };
  assert.deepEqual(wanted(slider, "computer", given), {
    variant: "slider", opponent: "computer", level: 3, side: 2, public: true,
    options: { size: 5, first: "V", blocks: "random" }, clock: { minutes: 5, increment: 3 },
  });
  assert.deepEqual(wanted(slider, "friend", { side: "random", clock: "none" }), { variant: "slider", opponent: "friend", options: {}, clock: null });
  assert.equal(wanted(slider, "computers", { level: "1", second_level: "2" }).second_level, 2);
});
