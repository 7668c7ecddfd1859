// A game between bots that this page directs: it asks whoever is to move, and gives out what they did action by action.
// Knows no page: what there is to show goes to its handlers.
import { challenge } from "../challenge.js";
import { fetchHistory, positionsOf } from "../history.js";
import { newId } from "../page.js";
import { afterMove, afterState, fits, movesOf, order } from "../reducer.js";
import { Refusal } from "../refusal.js";
import { Times, actionsOf } from "./actions.js";
import { BotFault } from "./sandbox.js";

/** @typedef {import("./actions.js").Action} Action */
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
    /** @type {Snapshot | null} */ this.state = null;
    /** @type {Entrant[]} */ this.entrants = [];
    /** @type {Action[]} */ this.waiting = []; // done, and not shown yet
    /** @type {Action[]} */ this.shown = [];
    this.times = [new Times(), new Times()];
    this.limit = 1000; // milliseconds for a call of a bot that this page runs
    this.games = 0; // how many there have been: whoever still waits in an earlier one leaves it
    /** @type {(() => void)[]} */ this.listeners = [];
    wire.on("moved", (moved) => this.#hearMove(moved));
    wire.on("state", (state) => this.#hearState(state));
    wire.on("snapshot", (snapshot) => this.state?.game === snapshot.game && this.#lookAgain());
    wire.on("presence", (presence) => {
      if (this.state && presence.room === this.state.room) this.#become({ ...this.state, presence });
    });
  }

  get isBegun() {
    return this.state !== null;
  }

  /** Whether everything there is has been shown. */
  get isOver() {
    return Boolean(this.state?.outcome) && !this.waiting.length;
  }

  /** Whether all seats are taken. */
  get isFull() {
    return Boolean(this.state?.players.every((player) => player.taken));
  }

  /** A new game. @param {string} variant @param {object} options @param {Entrant[]} entrants */
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
    this.#become(snapshot);
  }

  /** Leave the game that there is, and whatever is being waited for in it. */
  async stop() {
    const { state } = this;
    this.games += 1;
    this.state = null;
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
    if (this.state) await this.#catchUp();
  }

  /** Have turns made until there is an action to show; whether there is one. */
  async ready() {
    const game = this.state?.game;
    if (!this.isFull) await this.#invite();
    while (!this.waiting.length && this.state && !this.state.outcome && this.state.game === game) await this.#turn(this.state);
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

  /** Let whoever is to move take a turn, and wait until it is made. @param {Snapshot} state */
  async #turn(state) {
    const changed = this.#change();
    const entrant = this.entrants[state.to_move];
    try {
      if (!this.isFull) await changed;
      else if (entrant.kind === "own") await this.#askOwn(state, entrant);
      else {
        await this.wire.insist("ask", { game: state.game, ply: state.ply });
        if (this.state?.v === state.v) await changed;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || !["stale", "over", "not_your_turn"].includes(error.code)) throw error;
      await this.#catchUp();
    }
  }

  /** @param {Snapshot} state @param {Extract<Entrant, {kind: "own"}>} entrant */
  async #askOwn(state, { sandbox }) {
    const turn = { game: state.game, ply: state.ply };
    /** @type {{api: string, answers: unknown[], calls: number[], id: string}} */
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
    if (this.state?.v === state.v) await changed;
  }

  /** Until something has changed in the game. @returns {Promise<void>} */
  #change() {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  #wake() {
    for (const listener of this.listeners.splice(0)) listener();
  }

  // Hearing.

  /** @param {Snapshot} state */
  #become(state) {
    const isNews = this.state?.game !== state.game || this.state.v !== state.v;
    this.state = state;
    if (state.outcome) for (const one of this.entrants) if (one.kind === "own") void one.sandbox.finish(state.outcome.winner);
    if (isNews) this.#wake();
    this.handlers.onChange();
  }

  /** @param {import("../protocol.js").Moved} moved */
  #hearMove(moved) {
    const { state } = this;
    if (!state || moved.game !== state.game) return;
    const is = order(state, moved);
    if (is === "next") {
      this.waiting.push(...actionsOf(state.board, state.to_move, moved));
      this.#become(afterMove(state, moved));
    } else if (is === "gap") this.#lookAgain();
  }

  /** @param {import("../protocol.js").GameState} told */
  #hearState(told) {
    const { state } = this;
    if (!state || told.game !== state.game || told.v < state.v) return;
    if (!fits(state, told)) return this.#lookAgain();
    const faulty = told.outcome && !state.outcome && / made a fault/.test(told.outcome.reason) ? told.outcome : null;
    if (faulty) this.waiting.push(this.#faultAction(state, 1 - (faulty.winner ?? 0), faulty.reason));
    this.#become(afterState(state, told));
  }

  /** @param {Snapshot} state @param {number} player @param {string} reason @returns {Action} */
  #faultAction({ board, last, to_move }, player, reason) {
    return { player, words: reason.replace(/^Player \d /, ""), cells: [], board, last, toMove: to_move, ns: null, isFault: true };
  }

  #lookAgain() {
    this.#catchUp().catch((error) => this.handlers.onTrouble?.(error));
  }

  /** Ask for the whole game, and make actions of what has not been told. @returns {Promise<void>} */
  async #catchUp() {
    const before = this.state;
    if (!before) return;
    const { snapshot } = await this.wire.insist("enter", { room: before.room });
    const history = snapshot.moves === before.moves ? null : await fetchHistory(positionsOf(snapshot.game));
    if (this.state?.game !== snapshot.game) return;
    if (this.state !== before) return this.#catchUp(); // told something meanwhile
    for (let ply = movesOf(before).length; history && ply < movesOf(snapshot).length; ply++) {
      const { board, toMove } = history.frames[ply];
      this.waiting.push(...actionsOf(board, toMove, history.turns[ply]));
    }
    this.#become(snapshot);
    this.#wake(); // somebody may have to be asked again
  }
}

/** @param {Entrant} entrant */
function seatOf(entrant) {
  if (entrant.kind === "computer") return { kind: "computer", level: entrant.level };
  return entrant.kind === "own" ? { kind: "own", name: entrant.name } : { kind: "open" };
}
