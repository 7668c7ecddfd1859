// Whatever needs an answer: beside the board, or in a sheet at the bottom edge where there's no room beside it.
import { button, onPress, part } from "../page.js";

export class NoticesPanel {
  constructor() {
    this.shown = ""; // the panels that were there last
    onPress("notices-toggle", () => this.#expand(part("notices-body").hidden === true));
  }

  /** After panels were shown or hidden: a new one opens the sheet. */
  refresh() {
    const panels = [...part("notices-body").children].filter((panel) => panel instanceof HTMLElement && !panel.hidden);
    const now = panels.map((panel) => panel.id).join(" ");
    part("notices").hidden = !panels.length;
    if (now !== this.shown) this.#expand(true);
    this.shown = now;
  }

  /** @param {boolean} isOpen */
  #expand(isOpen) {
    part("notices-body").hidden = !isOpen;
    button("notices-toggle").setAttribute("aria-expanded", String(isOpen));
    button("notices-toggle").textContent = isOpen ? "Hide" : "Show";
  }
}
