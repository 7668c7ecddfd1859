// Looking back in a game that goes on: which position is shown, and where it comes from.
import { fetchHistory, positionsOf } from "./history.js";
import { movesOf } from "./reducer.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

export class Lookback {
  /** @param {(address: string) => Promise<import("./history.js").History>} [load] */
  constructor(load = fetchHistory) {
    this.load = load;
    /** @type {number | null} */ this.viewed = null; // the ply that is looked at, if it is not the latest
    /** @type {Snapshot | null} */ this.state = null;
    /** @type {import("./history.js").History | null} */ this.past = null;
    this.wanted = 0; // the ply that was asked for last
  }

  /** The position that is looked at, or null for the latest. */
  get frame() {
    return this.viewed === null ? null : (this.past?.frames[this.viewed] ?? null);
  }

  /** Go on with a new state: what is looked at stays, if it's still a part of the game. @param {Snapshot} state */
  follow(state) {
    const isOther = this.state?.game !== state.game || String(this.state.you) !== String(state.you);
    this.state = state;
    if (isOther || this.viewed === null || this.viewed >= state.ply || !this.#knows(this.viewed)) this.viewed = null;
  }

  /** Look at the game after that many moves; false if another was asked for meanwhile.
   * @param {number} ply @param {(ply: number) => void} onWait called when it has to be fetched */
  async go(ply, onWait) {
    if (!this.state) return false;
    const { game } = this.state;
    const asked = (this.wanted = Math.min(this.state.ply, Math.max(0, ply)));
    if (asked < this.state.ply && !this.#knows(asked)) {
      onWait(asked);
      const past = await this.load(positionsOf(game));
      if (this.wanted !== asked || this.state.game !== game) return false;
      this.past = past;
    }
    this.viewed = asked < this.state.ply && this.#knows(asked) ? asked : null;
    return true;
  }

  /** @param {number} ply */
  #knows(ply) {
    return this.state !== null && this.past !== null && this.past.knows(movesOf(this.state), ply);
  }
}
