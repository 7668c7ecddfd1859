// The buttons of a room: which of them are there, and what they ask for. Says too how the game ended, and what is offered.
import { actions, claim } from "../actions.js";
import { reasonWords, resultWords } from "../endings.js";
import { button, element, isSure, onPress, part } from "../page.js";
import { goneWords, offerWords, rematchWords } from "../words.js";

/** @typedef {import("../protocol.js").Snapshot} Snapshot */
/** @typedef {import("../commands.js").Commands} Commands */
/** @typedef {"resign" | "abort" | "claim" | "draw" | "takeback" | "rematch"} InGame */
/** Asks for something in the game.
 * @typedef {<Name extends InGame>(event: Name, fields: Omit<Commands[Name], "game">) => Promise<unknown>} Act */

export class ActionsPanel {
  /** @param {Act} act */
  constructor(act) {
    /** @type {Snapshot | null} */ this.state = null;
    this.metAt = 0; // when the server said who is there
    /** @type {"draw" | "takeback" | null} */ this.offer = null; // that can be answered
    this.#listen(act);
    setInterval(() => this.#showClaim(), 1000);
  }

  /** @param {Act} act */
  #listen(act) {
    onPress("takeback", () => void act("takeback", { action: "propose" }));
    onPress("draw", async () => {
      const words = this.state?.features.one_screen ? "Agree on a draw?" : "Offer a draw?";
      if (await isSure(words)) await act("draw", { action: "offer" });
    });
    onPress("resign", async () => {
      if (await isSure("Resign this game?")) await act("resign", {});
    });
    onPress("abort", async () => {
      if (await isSure("Abort this game?")) await act("abort", {});
    });
    onPress("claim", () => void act("claim", { result: "win" }));
    onPress("claim-draw", () => void act("claim", { result: "draw" }));
    onPress("rematch", () => void act("rematch", {}));
    onPress("accept", () => void (this.offer && act(this.offer, { action: "accept" })));
    onPress("decline", () => void (this.offer && act(this.offer, { action: "decline" })));
  }

  /** @param {Snapshot} state @param {number} metAt */
  show(state, metAt) {
    this.state = state;
    this.metAt = metAt;
    for (const [name, can] of Object.entries(actions(state))) {
      button(name).hidden = can === "no";
      button(name).disabled = can === "later";
    }
    this.#showResult(state);
    this.#showOffer(state);
    this.#showClaim();
  }

  /** @param {Snapshot} state */
  #showResult(state) {
    part("result").hidden = !state.outcome;
    part("result-words").textContent = resultWords(state);
    part("result-reason").textContent = reasonWords(state);
    button("rematch").textContent = rematchWords(state);
    element("replay", HTMLAnchorElement).href = `/game/${state.game}`;
  }

  /** @param {Snapshot} state */
  #showOffer(state) {
    const offer = offerWords(state);
    this.offer = offer?.kind ?? null;
    part("offer").hidden = !offer;
    part("offer-words").textContent = offer?.words ?? "";
  }

  /** Counts down while somebody is gone. */
  #showClaim() {
    if (!this.state) return;
    const found = claim(this.state, (performance.now() - this.metAt) / 1000);
    part("gone").hidden = !found;
    if (!found) return;
    part("gone-words").textContent = goneWords(this.state, found.player, found.seconds);
    button("claim").disabled = button("claim-draw").disabled = found.seconds > 0;
  }
}
