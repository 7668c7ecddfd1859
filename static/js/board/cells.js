// The cells of a board as real, focusable elements above the picture: they take clicks, touch and keys.

/** @typedef {import("./geometry.js").Layout} Layout */
/** A piece on its way: the cell it came from, the one it's over (-1 off the board), and where that is, in board widths and heights.
 * @typedef {{from: number, over: number, x: number, y: number}} Drag */

const DRAG_PIXELS = 8; // a press that moves less is a click

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cells {
  /** @param {HTMLElement} root
   * @param {{onPick: (cell: number, isTouch: boolean) => void, onPoint: (cell: number | null) => void,
   *   onKey: (key: string) => boolean, onDrag: (drag: Drag) => void, onDrop: (drag: Drag | null) => void}} handlers */
  constructor(root, handlers) {
    this.handlers = handlers;
    this.grid = document.createElement("div");
    this.grid.className = "board-cells";
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", "Board: arrow keys move, Enter chooses, Escape takes back");
    root.append(this.grid);
    /** @type {HTMLElement[]} */ this.elements = [];
    /** @type {Layout | null} */ this.layout = null;
    this.focused = 0;
    this.isTouch = false; // whether the last press was a finger's; not every browser says so with a click
    this.isDragged = false; // whether the click to come ends a drag
    this.grid.addEventListener("pointerdown", (event) => this.#press(event));
    this.grid.addEventListener("click", (event) => this.#click(event));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("pointerover", (event) => handlers.onPoint(cellOf(event)));
    this.grid.addEventListener("pointerleave", () => handlers.onPoint(null));
    this.grid.addEventListener("focusin", (event) => handlers.onPoint(cellOf(event)));
    this.grid.addEventListener("focusout", () => handlers.onPoint(null));
  }

  get hasFocus() {
    return this.grid.contains(document.activeElement);
  }

  /** The cells always lie under the picture, whichever way it is turned. @param {Layout} layout */
  arrange(layout) {
    if (this.layout?.name === layout.name) return;
    this.layout = layout;
    const { hasFocus } = this;
    this.elements = [];
    const lines = Array.from({ length: layout.rows }, (_, y) => this.#line(layout, y));
    this.grid.replaceChildren(...lines);
    this.focused = Math.min(this.focused, this.elements.length - 1);
    this.elements[this.focused].tabIndex = 0;
    if (hasFocus) this.focus(this.focused);
  }

  /** @param {Layout} layout @param {number} y */
  #line(layout, y) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    line.className = "board-row";
    for (let x = 0; x < layout.columns; x++) {
      const cell = layout.cellAt(x, y);
      if (cell < 0) continue;
      const element = document.createElement("div");
      element.setAttribute("role", "gridcell");
      element.className = "board-cell";
      element.dataset.cell = String(cell);
      element.tabIndex = -1;
      this.elements[cell] = element;
      line.append(element);
    }
    return line;
  }

  /** @param {number} cell @param {string} label @param {boolean} isNext @param {boolean} isChosen @param {boolean} canDrag */
  describe(cell, label, isNext, isChosen, canDrag) {
    const element = this.elements[cell];
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    element.classList.toggle("is-next", isNext);
    element.classList.toggle("can-drag", canDrag);
    if (isChosen !== (element.getAttribute("aria-selected") === "true")) element.setAttribute("aria-selected", String(isChosen));
  }

  /** Where the keyboard comes in. @param {number} cell */
  makeTabStop(cell) {
    if (!this.elements[cell]) return;
    this.elements[this.focused].tabIndex = -1;
    this.focused = cell;
    this.elements[cell].tabIndex = 0;
  }

  /** @param {number} cell */
  focus(cell) {
    this.makeTabStop(cell);
    this.elements[this.focused]?.focus({ preventScroll: true });
    if (this.grid.closest(".is-zoomed")) this.elements[this.focused]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Show that a cell can't be chosen. @param {number} cell */
  miss(cell) {
    const { classList } = this.elements[cell];
    classList.remove("is-missed");
    void this.grid.offsetWidth; // so that the animation starts anew
    classList.add("is-missed");
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.isTouch = event.pointerType === "touch";
    this.isDragged = false;
    const cell = cellOf(event);
    if (cell === null || event.button !== 0 || !this.elements[cell].classList.contains("can-drag")) return;
    const done = new AbortController();
    const to = { signal: done.signal };
    window.addEventListener("pointermove", (move) => this.#drag(cell, event, move), to);
    window.addEventListener("pointerup", (up) => {
      done.abort();
      if (this.isDragged) this.handlers.onDrop(this.#dragTo(cell, up));
    }, to);
    window.addEventListener("pointercancel", () => {
      done.abort();
      this.handlers.onDrop(null);
    }, to);
  }

  /** @param {number} from @param {PointerEvent} start @param {PointerEvent} move */
  #drag(from, start, move) {
    if (move.pointerId !== start.pointerId) return;
    this.isDragged ||= Math.hypot(move.clientX - start.clientX, move.clientY - start.clientY) > DRAG_PIXELS;
    if (this.isDragged) this.handlers.onDrag(this.#dragTo(from, move));
  }

  /** @param {number} from @param {PointerEvent} event @returns {Drag} */
  #dragTo(from, event) {
    const box = this.grid.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const { columns = 0, rows = 0 } = this.layout ?? {};
    return { from, x, y, over: this.layout?.cellAt(Math.floor(x * columns), Math.floor(y * rows)) ?? -1 };
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const cell = cellOf(event);
    if (cell === null || this.isDragged) return;
    this.focus(cell);
    this.handlers.onPick(cell, this.isTouch);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = this.#stepped(event.key);
    if (target !== null) {
      if (target >= 0) this.focus(target);
    } else if (event.key === "Enter" || (event.key === " " && this.grid.querySelector(".is-next"))) {
      this.handlers.onPick(this.focused, false);
    } else if (!this.handlers.onKey(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cell that a key leads to, -1 at an edge; null for a key that leads nowhere. @param {string} key */
  #stepped(key) {
    if (!this.layout) return null;
    const { x, y } = this.layout.spot(this.focused);
    if (key === "Home") return this.layout.cellAt(0, y);
    if (key === "End") {
      const last = this.layout.cellAt(this.layout.columns - 1, y);
      return last >= 0 ? last : this.elements.length - 1;
    }
    const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
    return step ? this.layout.cellAt(x + step[0], y + step[1]) : null;
  }
}

/** @param {Event} event @returns {number | null} */
function cellOf(event) {
  const target = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
  return target instanceof HTMLElement ? Number(target.dataset.cell) : null;
}
