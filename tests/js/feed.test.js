import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Feed } from "../../static/js/feed.js";
import { Refusal } from "../../static/js/refusal.js";
import { movedAfter, stateAfter } from "./events.js";
import { base } from "./room.js";

mock.timers.enable({ apis: ["setInterval"] });

/** A connection whose answers the test gives. */
class Line {
  isHere = true;
  /** @type {Record<string, (payload: any) => void>} */ handlers = {};
  /** @type {{fields: any, answer: (answer: any) => Promise<void>, refuse: (error: Error) => Promise<void>}[]} */ asked = [];

  on(event, handler) {
    this.handlers[event] = handler;
  }

  ask(event, fields) {
    assert.equal(event, "sync");
    return new Promise((resolve, reject) => {
      const settle = (by) => async (value) => {
        by(value);
        await settled();
      };
      this.asked.push({ fields, answer: settle(resolve), refuse: settle(reject) });
    });
  }
}

/** Until all that follows from an answer is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A feed that shows the game, and what became of it. */
function begin(state = base) {
  const line = new Line();
  const heard = { states: [], told: [], entered: 0, refusals: [] };
  const feed = new Feed(line, {
    onChange: (next, _, told) => {
      heard.states.push(next);
      heard.told.push(told?.event ?? null);
    },
    enter: () => (heard.entered += 1),
    onRefusal: (refusal) => heard.refusals.push(refusal.code),
  });
  feed.adopt(state);
  heard.states.length = heard.told.length = 0;
  const tell = (event, payload) => line.handlers[event](payload);
  return { feed, line, heard, tell };
}

/** Moves that follow each other. */
function movesAfter(state, count) {
  const made = [];
  for (let last = state; made.length < count; last = { ...last, ...made.at(-1), board: { pieces: made.at(-1).pieces } }) made.push(movedAfter(last));
  return made;
}
const missed = (moves) => moves.map((payload) => ({ event: "moved", payload }));
const { presence } = base;

test("events become states, one by one", () => {
  const { feed, line, heard, tell } = begin();
  const [first, second] = movesAfter(base, 2);
  tell("moved", first);
  tell("moved", second);
  tell("moved", first);
  tell("presence", { ...presence, room: "r", watchers: 3 });
  assert.deepEqual([feed.state.v, feed.state.presence.watchers, line.asked.length], [8, 3, 0]);
  assert.deepEqual(heard.told, ["moved", "moved", "presence"]);
});

test("a gap is asked for at once, and closed in order", async () => {
  const { feed, line, heard, tell } = begin();
  const moves = movesAfter(base, 3);
  tell("moved", moves[2]);
  assert.deepEqual(line.asked.map(({ fields }) => fields), [{ room: "r", game: "g", v: 6 }]);
  await line.asked[0].answer({ v: 9, presence, missed: missed(moves) });
  assert.equal(feed.state.moves, `${base.moves} m7 m8 m9`);
  assert.deepEqual(heard.told, ["moved", "moved", "moved"]);
});

test("a lost message is noticed within ten seconds", async () => {
  const { feed, line } = begin();
  mock.timers.tick(9_999);
  assert.equal(line.asked.length, 0);
  mock.timers.tick(1);
  await line.asked[0].answer({ v: 7, presence, missed: missed(movesAfter(base, 1)) });
  assert.equal(feed.state.v, 7);
  mock.timers.tick(10_000);
  assert.deepEqual(line.asked[1].fields, { room: "r", game: "g", v: 7 });
});

test("nothing is asked without a connection or a game", () => {
  const { feed, line } = begin();
  line.isHere = false;
  mock.timers.tick(10_000);
  line.isHere = true;
  feed.drop();
  mock.timers.tick(10_000);
  assert.equal(line.asked.length, 0);
});

test("questions don't pile up, and a gap that is seen meanwhile is asked for afterwards", async () => {
  const { feed, line, tell } = begin();
  const moves = movesAfter(base, 6);
  tell("moved", moves[1]);
  tell("moved", moves[3]);
  tell("moved", moves[5]);
  mock.timers.tick(30_000);
  assert.equal(line.asked.length, 1);
  await line.asked[0].answer({ v: 9, presence, missed: missed(moves.slice(0, 3)) });
  assert.deepEqual(line.asked.map(({ fields }) => fields.v), [6, 9]);
  await line.asked[1].answer({ v: 12, presence, missed: missed(moves.slice(3)) });
  assert.deepEqual([feed.state.v, line.asked.length], [12, 2]);
});

test("a late answer doesn't take the state back", async () => {
  const { feed, line, heard, tell } = begin({ ...base, left: [60, 60], running: true });
  const [first, second] = movesAfter(base, 2);
  mock.timers.tick(10_000);
  tell("moved", { ...first, left: [50, 60] });
  tell("moved", { ...second, left: [50, 40] });
  await line.asked[0].answer({ v: 7, presence, missed: missed([first]), left: [1, 1], running: true });
  assert.deepEqual([feed.state.v, feed.state.left, heard.entered], [8, [50, 40], 0]);
  mock.timers.tick(10_000);
  tell("moved", movedAfter(feed.state));
  await line.asked[1].answer({ v: 8, presence, snapshot: { ...base, v: 8, ply: 6 } });
  assert.deepEqual([feed.state.v, feed.state.ply], [9, 7]);
});

test("a snapshot is taken where too much was missed, and where another game is on", async () => {
  const { feed, line, heard } = begin();
  mock.timers.tick(10_000);
  await line.asked[0].answer({ v: 40, presence, snapshot: { ...base, v: 40, ply: 30 } });
  assert.equal(feed.state.v, 40);
  mock.timers.tick(10_000);
  const rematch = { ...base, game: "h", number: 2, v: 2, you: [1] };
  await line.asked[1].answer({ v: 2, presence, snapshot: rematch });
  assert.deepEqual([feed.state.game, feed.state.you, heard.entered], ["h", [1], 0]);
});

test("a new game that is told has to be entered", () => {
  const { feed, heard, tell } = begin();
  tell("snapshot", { ...base, game: "h", number: 2, v: 0 });
  assert.deepEqual([feed.state.game, heard.entered], ["g", 1]);
});

test("a state that jumps over events is taken once it's known that none is missing", async () => {
  const { feed, line, tell } = begin();
  const agreed = stateAfter(base, { v: 8, since: 7, outcome: { winner: null, reason: "agreed" } });
  tell("state", agreed);
  assert.equal(feed.state.outcome, null);
  await line.asked[0].answer({ v: 8, presence, missed: [{ event: "state", payload: agreed }] });
  assert.equal(feed.state.outcome.reason, "agreed");
});

test("what has no version comes with the answer: who is there, and what the clocks show", async () => {
  const { feed, line, heard } = begin({ ...base, left: [60, 60], running: true });
  mock.timers.tick(10_000);
  await line.asked[0].answer({ v: 6, presence, missed: [] });
  assert.equal(heard.states.length, 0); // nothing is new
  mock.timers.tick(10_000);
  await line.asked[1].answer({ v: 6, presence: { ...presence, watchers: 5 }, missed: [], left: [40, 60], running: false });
  assert.deepEqual([feed.state.presence.watchers, feed.state.left, feed.state.running], [5, [40, 60], false]);
});

test("what can't be closed is entered again", async () => {
  const { line, heard } = begin();
  mock.timers.tick(10_000);
  await line.asked[0].answer({ v: 9, presence, missed: missed(movesAfter(base, 2)) });
  assert.equal(heard.entered, 1);
  mock.timers.tick(10_000);
  await line.asked[1].answer({ v: 12, presence, missed: missed(movesAfter(base, 4).slice(3)) });
  assert.equal(heard.entered, 2);
});

test("a refusal leads to entering, unless it passes", async () => {
  const { line, heard } = begin();
  mock.timers.tick(10_000);
  await line.asked[0].refuse(new Refusal({ code: "not_here", message: "" }));
  assert.deepEqual([heard.entered, heard.refusals], [1, []]);
  mock.timers.tick(10_000);
  await line.asked[1].refuse(new Refusal({ code: "store_down", message: "" }));
  mock.timers.tick(10_000);
  await line.asked[2].refuse(new Error("no answer"));
  assert.deepEqual([heard.entered, heard.refusals, line.asked.length], [1, ["store_down"], 3]);
});

test("an answer about a game that was left is not taken", async () => {
  const { feed, line, heard } = begin();
  mock.timers.tick(10_000);
  feed.adopt({ ...base, room: "s", game: "h" });
  heard.states.length = 0;
  await line.asked[0].answer({ v: 7, presence, missed: missed(movesAfter(base, 1)) });
  assert.deepEqual([feed.state.game, heard.states.length, heard.entered], ["h", 0, 0]);
});
