// A game between bots that this page directs: it asks the player to move, and gives out what they did action by action.
// Knows no page: what there is to show goes to its handlers.
import { challenge } from "../challenge.js";
import { aboutWhom, faultWords } from "../endings.js";
import { Feed } from "../feed.js";
import { fetchHistory, positionsOf } from "../history.js";
import { newId } from "../page.js";
import { Refusal } from "../refusal.js";
import { isFull } from "../seats.js";
import { Times, actionsOf } from "./turns.js";
import { BotFault } from "./sandbox.js";

/** @typedef {import("./turns.js").Action} Action */
/** @typedef {import("../protocol.js").Snapshot} Snapshot */

/** Who plays: a level of the computer, a bot that this page runs, a bot that is online, or a person with the link.
 * @typedef {{kind: "computer", level: number} | {kind: "own", name: string, sandbox: import("./sandbox.js").Sandbox}
 *   | {kind: "bot", id: string, name: string} | {kind: "person"}} Entrant */

/** The game was left before it had begun. */
export class Left extends Error {}

export class Contest {
  /** @param {import("../wire.js").Wire} wire
   * @param {{onChange: () => void, onFault?: (player: number, error: Error) => void, onTrouble?: (error: unknown) => void}} handlers
   *   called when anything has changed that can be seen, when a bot of this page has made a fault, and when the server can
   *   not be asked */
  constructor(wire, handlers) {
    this.wire = wire;
    this.handlers = handlers;
    /** @type {Entrant[]} */ this.entrants = [];
    /** @type {Action[]} */ this.waiting = []; // done, and not shown yet
    /** @type {Action[]} */ this.shown = [];
    this.times = [new Times(), new Times()];
    this.limit = 1000; // milliseconds for a call of a bot that this page runs
    this.games = 0; // how many there have been: what still waits in an earlier one leaves it
    this.listed = 0; // turns whose actions are among those
    /** @type {Promise<void> | null} */ this.listing = null;
    /** @type {(() => void)[]} */ this.listeners = [];
    this.feed = new Feed(wire, {
      onChange: (state, before, told) => this.#become(state, before, told),
      enter: () => this.#lookAgain(),
    });
  }

  /** The game as the server has it, or null before it begins. */
  get state() {
    return this.feed.state;
  }

  get isBegun() {
    return this.state !== null;
  }

  /** Whether everything there is has been shown. */
  get isOver() {
    return Boolean(this.state?.outcome) && this.listed === this.state?.ply && !this.waiting.length;
  }

  /** Whether all seats are taken. */
  get isFull() {
    return this.state !== null && isFull(this.state);
  }

  /** A new game. @param {import("../protocol.js").VariantKey} variant @param {object} options @param {Entrant[]} entrants */
  async begin(variant, options, entrants) {
    await this.stop();
    const { games } = this;
    const check = () => {
      if (games !== this.games) throw new Left();
    };
    this.entrants = entrants;
    await Promise.all(entrants.map((one, player) => (one.kind === "own" ? one.sandbox.begin(player) : null)));
    check();
    const { room, game } = await this.wire.ask("contest", { variant, options, seats: entrants.map(seatOf) });
    const { snapshot } = await this.wire.ask("enter", { room });
    try {
      check();
    } catch (left) {
      await this.#leave(room, game);
      throw left;
    }
    this.waiting = [];
    this.shown = [];
    this.times = [new Times(), new Times()];
    this.listed = snapshot.ply;
    this.feed.adopt(snapshot);
  }

  /** Leave the game that there is, and whatever is being waited for in it. */
  async stop() {
    const { state } = this;
    this.games += 1;
    this.feed.drop();
    this.waiting = [];
    this.shown = [];
    this.#endBots();
    this.#wake();
    if (state) await this.#leave(state.room, state.outcome ? null : state.game);
  }

  /** @param {string} room @param {string | null} game that is not over */
  async #leave(room, game) {
    if (game) await this.wire.ask("stop", { game }).catch(() => null);
    await this.wire.ask("leave", { room }).catch(() => null);
  }

  #endBots() {
    for (const one of this.entrants) if (one.kind === "own") one.sandbox.end();
  }

  /** @param {number | null} winner */
  #finishBots(winner) {
    for (const one of this.entrants) if (one.kind === "own") void one.sandbox.finish(winner);
  }

  /** Ask the bots in that are online and have not come yet. */
  async #invite() {
    for (const [player, one] of this.entrants.entries()) {
      if (one.kind !== "bot" || !this.state || this.state.players[player].taken) continue;
      await challenge(one.id, this.state.room).catch((error) => {
        if (error.code !== "taken") throw error; // it has come meanwhile
      });
    }
  }

  /** After a connection: whatever happened meanwhile. */
  async resume() {
    if (this.state) await this.#enter(this.state.room);
  }

  /** Have turns made until there is an action to show; whether there is one. */
  async ready() {
    const game = this.state?.game;
    if (!this.isFull) await this.#invite();
    while (!this.waiting.length && this.state && this.state.game === game && !this.isOver) {
      if (this.listed < this.state.ply) await this.#list();
      else await this.#turn(this.state);
    }
    return this.state?.game === game && this.waiting.length > 0;
  }

  /** The next action, from now on shown. */
  take() {
    const action = this.waiting.shift();
    if (!action) return;
    this.shown.push(action);
    if (action.ns !== null) this.times[action.player].add(action.ns);
    this.handlers.onChange();
  }

  // Asking.

  /** Let the player to move take a turn, and wait until it is made. @param {Snapshot} state */
  async #turn(state) {
    const changed = this.#change();
    const entrant = this.entrants[state.to_move];
    try {
      if (!this.isFull) await changed;
      else if (entrant.kind === "own") await this.#askOwn(state, entrant);
      else {
        await this.wire.insist("ask", { game: state.game, ply: state.ply });
        if (!this.#isPast(state)) await changed;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || !["stale", "over", "not_your_turn"].includes(error.code)) throw error;
      if (this.state?.room === state.room) await this.#enter(state.room);
    }
  }

  /** @param {Snapshot} state @param {Extract<Entrant, {kind: "own"}>} entrant */
  async #askOwn(state, { sandbox }) {
    const turn = { game: state.game, ply: state.ply };
    /** @type {Omit<import("../commands.js").Commands["answer"], "game" | "ply">} */
    const told = { api: sandbox.api, answers: [], calls: [], id: newId() };
    const changed = this.#change();
    try {
      for (;;) {
        const answer = await this.wire.insist("answer", { ...turn, ...told });
        if (answer.fault) this.handlers.onFault?.(state.to_move, new BotFault(answer.fault));
        if (!answer.request) break;
        const { value, ns } = await sandbox.call(answer.request, this.limit);
        told.answers.push(value);
        told.calls.push(ns);
      }
    } catch (error) {
      if (!(error instanceof BotFault)) throw error;
      const why = error.message.replace(/\s+/g, " ").slice(0, 160);
      if (this.state?.game !== state.game) return; // left meanwhile
      this.handlers.onFault?.(state.to_move, error);
      await this.wire.insist("fault", { ...turn, why, calls: [...told.calls, ...error.calls].slice(0, 2) });
    }
    if (!this.#isPast(state)) await changed;
  }

  /** Whether a turn of that state is made, or nobody has to make it any more. @param {Snapshot} before */
  #isPast(before) {
    return !this.state || isNews(this.state, before);
  }

  /** Until a turn is made, a seat is taken, or the game is over. @returns {Promise<void>} */
  #change() {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  #wake() {
    for (const listener of this.listeners.splice(0)) listener();
  }

  // Hearing.

  /** @param {Snapshot} state @param {Snapshot | null} before @param {import("../protocol.js").Told | null} told */
  #become(state, before, told) {
    if (told?.event === "moved" && before?.ply === this.listed) this.#listTurn(before.board, before.to_move, told.payload);
    if (this.listed < state.ply) this.#list().catch((error) => this.handlers.onTrouble?.(error));
    else if (!before?.outcome) this.#listFault(state);
    if (state.outcome && !before?.outcome) this.#finishBots(state.outcome.winner);
    if (!before || isNews(state, before)) this.#wake();
    this.handlers.onChange();
  }

  /** @param {import("../protocol.js").Board} board @param {number} player @param {import("./turns.js").Turn} turn */
  #listTurn(board, player, turn) {
    this.waiting.push(...actionsOf(board, player, turn));
    this.listed += 1;
  }

  /** The fault that ended a game is an action too: after all turns. @param {Snapshot} state */
  #listFault({ board, last, to_move, outcome }) {
    if (outcome?.reason !== "fault") return;
    const player = aboutWhom(outcome) ?? to_move;
    this.waiting.push({ player, words: faultWords(outcome), cells: [], board, last, toMove: to_move, ns: null, isFault: true });
  }

  /** Make actions of turns that weren't told one by one. */
  #list() {
    this.listing ??= this.#listMissed().finally(() => (this.listing = null));
    return this.listing;
  }

  async #listMissed() {
    const { games } = this;
    while (this.state && this.listed < this.state.ply) {
      const history = await fetchHistory(positionsOf(this.state.game));
      if (games !== this.games || !this.state) return;
      const turns = history.turns.slice(this.listed, this.state.ply);
      if (!turns.length) throw new Error("the server doesn't have all turns of this game yet: try again");
      for (const turn of turns) {
        const { board, toMove } = history.frames[this.listed];
        this.#listTurn(board, toMove, turn);
      }
    }
    if (this.state) this.#listFault(this.state);
    this.handlers.onChange();
  }

  #lookAgain() {
    if (this.state) this.#enter(this.state.room).catch((error) => this.handlers.onTrouble?.(error));
  }

  /** Enter again, and have the player to move asked again. @param {string} room */
  async #enter(room) {
    const { snapshot } = await this.wire.insist("enter", { room });
    if (this.state?.room !== room) return; // left meanwhile
    this.feed.adopt(snapshot);
    this.#wake();
  }
}

/** Whether somebody else is to be asked, or nobody. @param {Snapshot} state @param {Snapshot} before */
function isNews(state, before) {
  const isOther = state.game !== before.game || state.ply !== before.ply || isFull(state) !== isFull(before);
  return isOther || Boolean(state.outcome) !== Boolean(before.outcome);
}

/** @param {Entrant} entrant @returns {import("../commands.js").Commands["contest"]["seats"][number]} */
function seatOf(entrant) {
  if (entrant.kind === "computer") return { kind: "computer", level: entrant.level };
  return entrant.kind === "own" ? { kind: "own", name: entrant.name } : { kind: "open" };
}
