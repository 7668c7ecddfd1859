// The moves of a game, and going back and forth among them.
import { button, isShortcut, make, onPress, part } from "../page.js";

export class MovesPanel {
  /** @param {(ply: number) => void} go called with the ply to look at */
  constructor(go) {
    this.go = go;
    this.list = part("moves");
    /** @type {string[]} */ this.moves = [];
    this.at = 0; // the ply that is shown
    onPress("first", () => go(0));
    onPress("previous", () => go(this.at - 1));
    onPress("next", () => go(this.at + 1));
    onPress("last", () => go(this.moves.length));
    this.list.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-ply]") : null;
      if (target instanceof HTMLElement) go(Number(target.dataset.ply));
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string[]} moves @param {number} at */
  show(moves, at) {
    const isOther = this.moves.join(" ") !== moves.join(" ") || this.at !== at;
    if (isOther) this.#fill(moves);
    this.at = at;
    for (const [index, item] of [...this.list.querySelectorAll("button")].entries()) {
      const isHere = index + 1 === at;
      item.tabIndex = isHere || (at === 0 && index === 0) ? 0 : -1;
      if (isHere) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
    if (isOther) this.#scroll(); // else somebody may have scrolled it
    button("first").disabled = button("previous").disabled = at === 0;
    button("next").disabled = button("last").disabled = at === moves.length;
  }

  /** @param {string[]} moves */
  #fill(moves) {
    let same = 0;
    while (same < moves.length && same < this.moves.length && moves[same] === this.moves[same]) same++;
    while (this.list.children.length > same) this.list.lastElementChild?.remove();
    for (let at = same; at < moves.length; at++) {
      const item = make("li");
      const step = make("button", "", moves[at]);
      step.setAttribute("type", "button");
      step.dataset.ply = String(at + 1);
      item.append(step);
      this.list.append(item);
    }
    this.moves = moves;
    part("no-moves").hidden = moves.length > 0;
  }

  /** Keep the shown move in sight, without moving the page. */
  #scroll() {
    const item = this.list.children[Math.max(0, this.at - 1)];
    if (!(item instanceof HTMLElement)) return;
    const top = item.offsetTop; // in the list, which is positioned
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    const low = top + item.offsetHeight - this.list.clientHeight;
    if (low > this.list.scrollTop) this.list.scrollTop = low;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!isShortcut(event)) return;
    const targets = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.moves.length };
    const ply = targets[/** @type {keyof typeof targets} */ (event.key)];
    if (ply === undefined || !this.moves.length) return;
    event.preventDefault();
    this.go(Math.min(this.moves.length, Math.max(0, ply)));
  }
}
