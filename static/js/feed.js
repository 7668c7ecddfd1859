// The state of a live game, kept up with what the server tells. Knows no page. Messages may be lost or come late: every few
// seconds it asks whether it has all of them, and at once when one doesn't follow the one before.
import { EVENTS, after, afterEntering } from "./reducer.js";
import { Refusal } from "./refusal.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** @typedef {import("./protocol.js").Told} Told */
/** @typedef {import("./protocol.js").Synced} Synced */
/** The part of a Wire that is used here. @typedef {{isHere: boolean, on: (event: string, handler: (payload: any) => void) => void,
 *   ask: (event: "sync", fields: import("./commands.js").Commands["sync"]) => Promise<any>}} Line */

const SYNC_MS = 10_000;
const PASSING = ["rate", "busy", "store_down", "internal"]; // refusals that are no reason to enter again

export class Feed {
  /** @param {Line} wire
   * @param {{onChange: (state: Snapshot, before: Snapshot | null, told: Told | null) => void, enter: () => void,
   *   onRefusal?: (refusal: Refusal) => void}} handlers
   *   called with every new state, and what was told where it wasn't all of it; when only entering again can tell what is
   *   on, and who we are in it: then `adopt` the snapshot; and when the server can't say what was missed */
  constructor(wire, handlers) {
    this.wire = wire;
    this.handlers = handlers;
    /** @type {Snapshot | null} */ this.state = null;
    /** @type {Promise<void> | null} */ this.asking = null; // a question that is on its way
    this.isBehind = false; // whether something didn't follow since that was asked
    for (const event of EVENTS) wire.on(event, (payload) => this.hear({ event, payload }));
    setInterval(() => void this.sync(), SYNC_MS);
  }

  /** Go on from the answer to `enter`. @param {Snapshot} snapshot */
  adopt(snapshot) {
    this.#become(afterEntering(this.state, snapshot), null);
  }

  /** Follow no game any more. */
  drop() {
    this.state = null;
  }

  /** @param {Told} told */
  hear(told) {
    if (!this.state) return;
    const { isGap, isNew } = this.#take(told);
    if (isNew) this.handlers.enter();
    if (!isGap) return;
    this.isBehind = true;
    void this.sync();
  }

  /** Ask what was missed: one question at a time. */
  sync() {
    this.asking ??= this.#catchUp().finally(() => (this.asking = null));
    return this.asking;
  }

  async #catchUp() {
    do {
      this.isBehind = false;
      const { state } = this;
      if (!state || !this.wire.isHere) return;
      const answer = await this.#ask(state);
      if (!answer) return;
      if (this.state?.room === state.room) this.#learn(state, answer);
    } while (this.isBehind);
  }

  /** @param {Snapshot} state @returns {Promise<Synced | null>} */
  async #ask({ room, game, v }) {
    try {
      return await this.wire.ask("sync", { room, game, v });
    } catch (error) {
      if (!(error instanceof Refusal)) return null; // no answer: the next time
      if (PASSING.includes(error.code)) this.handlers.onRefusal?.(error);
      else this.handlers.enter();
      return null;
    }
  }

  /** @param {Snapshot} asked the state that the question was about @param {Synced} answer */
  #learn(asked, answer) {
    if (answer.snapshot) return this.adopt({ ...answer.snapshot, presence: answer.presence ?? answer.snapshot.presence });
    if (this.state?.game !== asked.game) return; // another game has begun meanwhile
    for (const told of answer.missed ?? []) {
      if (!this.state) return;
      const { isGap, isNew } = this.#take(told, true);
      if (isGap || isNew) return this.handlers.enter();
    }
    if (!this.state) return;
    if (this.state.v < answer.v) this.handlers.enter();
    else this.#refresh(this.state, answer);
  }

  /** Who is there and what the clocks show, which have no version. @param {Snapshot} state @param {Synced} answer */
  #refresh(state, { v, presence = state.presence, left = state.left, running = state.running }) {
    const clocks = v === state.v ? { left, running } : {};
    const next = { ...state, presence, ...clocks };
    const facts = (/** @type {Snapshot} */ { presence: met, left: times, running: runs }) =>
      JSON.stringify([met.players, met.claim_in, met.watchers, times, runs]);
    if (facts(next) !== facts(state)) this.#become(next, null);
  }

  /** @param {Told} told @param {boolean} [isComplete] */
  #take(told, isComplete) {
    const state = /** @type {Snapshot} */ (this.state);
    const step = after(state, told, isComplete);
    if (step.state !== state) this.#become(step.state, told);
    return step;
  }

  /** @param {Snapshot} next @param {Told | null} told */
  #become(next, told) {
    const before = this.state;
    this.state = next;
    this.handlers.onChange(next, before, told);
  }
}
