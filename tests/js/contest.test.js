import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Contest } from "../../static/js/bots/contest.js";
import { movedAfter, stateAfter } from "./events.js";
import { base, robot } from "./room.js";

mock.timers.enable({ apis: ["setInterval"] });

const begun = { ...base, v: 0, ply: 0, moves: "", you: [], players: [robot, robot] };
const computers = [{ kind: "computer", level: 3 }, { kind: "computer", level: 3 }];

/** A server of which the test says what it tells. */
class Line {
  isHere = true;
  /** @type {Record<string, (payload: any) => void>} */ handlers = {};
  /** @type {[string, any][]} */ asked = [];
  /** @type {Record<string, any>} */ answers = { contest: { room: "r", game: "g" }, enter: { snapshot: begun } };

  on(event, handler) {
    this.handlers[event] = handler;
  }

  async ask(event, fields) {
    this.asked.push([event, fields]);
    return this.answers[event] ?? {};
  }

  insist(event, fields) {
    return this.ask(event, fields);
  }

  /** How often something was asked for. @param {string} event */
  count(event) {
    return this.asked.filter(([name]) => name === event).length;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function begin() {
  const line = new Line();
  const troubles = [];
  const contest = new Contest(/** @type {any} */ (line), { onChange: () => null, onTrouble: (error) => troubles.push(error) });
  await contest.begin("isola", {}, /** @type {any} */ (computers));
  return { line, contest, troubles, tell: (event, payload) => line.handlers[event](payload) };
}

test("a turn is asked for once, though asking counts as an event", async () => {
  const { line, contest, tell } = await begin();
  const ready = contest.ready();
  await settled();
  tell("asked", { room: "r", game: "g", ply: 0, v: 1 });
  await settled();
  assert.equal(line.count("ask"), 1);
  tell("moved", movedAfter({ ...begun, v: 1 }));
  assert.equal(await ready, true);
  assert.deepEqual([contest.waiting.length, contest.state?.v, line.count("enter")], [1, 2, 1]);
});

test("a move that wasn't told is healed, and its actions are listed in order", async () => {
  const { line, contest } = await begin();
  const ready = contest.ready();
  const [first, second] = [movedAfter(begun), movedAfter({ ...begun, v: 1, ply: 1, to_move: 1 })];
  line.answers.sync = { v: 2, presence: base.presence, missed: [first, second].map((payload) => ({ event: "moved", payload })) };
  mock.timers.tick(10_000);
  assert.equal(await ready, true);
  assert.deepEqual(contest.waiting.map((action) => action.player), [0, 1]);
});

test("turns of which only a snapshot tells are fetched", async () => {
  const { line, contest } = await begin();
  const turns = [movedAfter(begun), movedAfter({ ...begun, v: 1, ply: 1, to_move: 1 })];
  const fetched = mock.method(globalThis, "fetch", async () => ({ ok: true, json: async () => ({ board: { ...begun.board, to_move: 0 }, turns }) }));
  const ready = contest.ready();
  const outcome = { winner: 0, reason: "fault", player: 1, detail: "it broke" };
  line.answers.sync = { v: 3, presence: base.presence, snapshot: { ...begun, v: 3, ply: 2, moves: "m1 m2", outcome, choices: null } };
  mock.timers.tick(10_000);
  assert.equal(await ready, true);
  assert.equal(contest.isOver, false);
  assert.deepEqual(contest.waiting.map((action) => [action.player, action.isFault]), [[0, false], [1, false], [1, true]]);
  fetched.mock.restore();
});

test("a fault that ends a game is the last action", async () => {
  const { contest, tell } = await begin();
  const ready = contest.ready();
  await settled();
  tell("state", stateAfter(begun, { outcome: { winner: 1, reason: "fault", player: 0, detail: "it took too long" } }));
  assert.equal(await ready, true);
  assert.deepEqual(contest.waiting.map(({ player, words, isFault }) => [player, words, isFault]), [[0, "made a fault: it took too long", true]]);
  contest.take();
  assert.ok(contest.isOver);
});

test("entering again asks again, and leaving ends the wait", async () => {
  const { line, contest, troubles } = await begin();
  const ready = contest.ready();
  await settled();
  await contest.resume();
  await settled();
  assert.equal(line.count("ask"), 2);
  await contest.stop();
  assert.equal(await ready, false);
  assert.deepEqual([line.count("stop"), line.count("leave"), troubles], [1, 1, []]);
});
