// Says when the server can't save moves: the clocks stand still then, and nobody has done anything wrong.
import { outageWords } from "../clocks.js";
import { part } from "../page.js";
import { Refusal } from "../refusal.js";

/** @typedef {import("../protocol.js").Snapshot} Snapshot */

const LINGER_MS = 10_000; // after the last refusal, where nothing else tells that it's over

export class OutagePanel {
  constructor() {
    /** @type {Snapshot | null} */ this.state = null;
    this.isRefused = false;
    this.timer = 0;
  }

  /** Something wasn't done. @param {unknown} error */
  hear(error) {
    if (!(error instanceof Refusal) || error.code !== "store_down") return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#refuse(false), LINGER_MS + 1000 * error.seconds);
    this.#refuse(true);
  }

  /** @param {Snapshot} state @param {Snapshot | null} before */
  show(state, before) {
    this.state = state;
    const isSaved = before !== null && (state.v > before.v || (state.running && !before.running));
    this.#refuse(this.isRefused && !isSaved);
  }

  /** @param {boolean} isRefused */
  #refuse(isRefused) {
    this.isRefused = isRefused;
    const words = this.state ? outageWords(this.state, isRefused) : "";
    const notice = part("outage");
    if (notice.textContent !== words) notice.textContent = words; // else it would be read aloud again
    notice.hidden = !words;
  }
}
