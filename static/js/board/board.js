// A board on a canvas, under a grid of real, focusable cells: those take clicks, touch and keys.
import { cellName, columnName, has, place, stripRows } from "./geometry.js";
import { choose, nextCells } from "./selection.js";

const MOVE_MS = 200;
const STRIP_MOST = 13;
const SMALL_CELL = 26; // pixels: below that a tap aims, and a second one chooses

export class BoardView {
  /** @param {HTMLElement} root @param {{onMove: (cells: number[]) => void, onChange: () => void}} handlers */
  constructor(root, handlers) {
    this.root = root;
    this.handlers = handlers;
    this.canvas = document.createElement("canvas");
    this.grid = document.createElement("div");
    this.grid.className = "board-cells";
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", "Board: arrow keys move, Enter chooses, Escape takes back, o leaves the board");
    this.exit = document.createElement("button");
    this.exit.type = "button";
    this.exit.className = "board-exit";
    this.exit.hidden = true;
    root.replaceChildren(this.canvas, this.grid, this.exit);
    /** @type {number[]} */ this.chosen = [];
    /** @type {number[] | null} */ this.pending = null;
    this.isFlipped = false;
    this.at = "";
    this.built = "";
    this.isMine = false;
    this.focused = 0;
    /** @type {number | null} */ this.aimed = null; // tapped once, where cells are small
    /** @type {any} */ this.board = null;
    /** @type {any} */ this.choices = null;
    this.toMove = 0;
    /** @type {number[]} */ this.last = [];
    /** @type {{from: number, to: number, player: number, begun: number} | null} */ this.slide = null;
    this.grid.addEventListener("click", (event) => this.#click(event));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.exit.addEventListener("click", () => this.pick(this.board.width * this.board.height));
    new ResizeObserver(() => this.#fit()).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Show a position. `at` names it: what was chosen in the same one stays chosen.
   * @param {{at: string, board: any, choices: any, toMove: number, last: number[], isMine: boolean}} state */
  show(state) {
    const before = this.board;
    const isSame = this.at === state.at;
    this.at = state.at;
    this.board = state.board;
    this.choices = state.choices;
    this.toMove = state.toMove;
    this.last = state.last;
    this.isMine = state.isMine;
    if (!isSame || !this.isMine) {
      this.chosen = [];
      this.pending = null;
      this.slide = before ? this.#slideFrom(before) : null;
    }
    this.#buildIfOther();
    if (!isSame) this.#moveTabStop();
    this.#refresh();
  }

  /** The cells always lie under the picture, whichever way it is turned. */
  #buildIfOther() {
    const { columns, rows } = this.shape;
    const built = `${this.board.width}x${this.board.height} ${columns}x${rows} ${this.isFlipped}`;
    if (built === this.built) return;
    this.built = built;
    this.#build();
  }

  #fit() {
    if (!this.board) return;
    const built = this.built;
    this.#buildIfOther();
    if (built === this.built) this.draw();
    else this.#refresh();
  }

  /** Where the keyboard comes in: at a cell that can be chosen, near the own piece. */
  #moveTabStop() {
    if (this.grid.contains(document.activeElement) || !this.isMine || !this.cells) return;
    const cell = this.next.find((cell) => this.cells?.[cell]);
    if (cell === undefined) return;
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
  }

  /** The piece that has moved between two boards, if it is one. @param {any} before */
  #slideFrom(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
    for (const player of [0, 1]) {
      const gone = before.pieces[player].filter((/** @type {number} */ cell) => !this.board.pieces[player].includes(cell));
      const come = this.board.pieces[player].filter((/** @type {number} */ cell) => !before.pieces[player].includes(cell));
      if (gone.length === 1 && come.length === 1) {
        return { from: gone[0], to: come[0], player, begun: performance.now() };
      }
    }
    return null;
  }

  /** Take the cells chosen so far back. */
  back() {
    this.chosen = [];
    this.#refresh();
  }

  /** A move is on its way to the server. @param {number[]} cells */
  wait(cells) {
    this.pending = cells;
    this.chosen = [];
    this.#refresh();
  }

  /** It was refused. */
  refuse() {
    this.pending = null;
    this.root.classList.remove("board-refused");
    void this.root.offsetWidth;
    this.root.classList.add("board-refused");
    this.#refresh();
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.#buildIfOther();
    this.#refresh();
  }

  /** @param {number} cell */
  pick(cell) {
    if (!this.isMine || this.pending) return;
    const made = choose(this.choices, this.board, this.toMove, this.chosen, cell);
    this.chosen = made.chosen;
    if (made.isWhole) this.handlers.onMove(made.chosen);
    else this.#refresh();
  }

  get next() {
    return this.isMine && !this.pending ? nextCells(this.choices, this.board, this.toMove, this.chosen) : [];
  }

  get shape() {
    if (this.board.view !== "strip") return { columns: this.board.width, rows: this.board.height };
    const most = this.root.clientWidth < 560 ? 7 : STRIP_MOST;
    const { rows, perRow } = stripRows(this.board.width, most);
    return { columns: perRow, rows };
  }

  /** Where a cell is drawn, counted from the top left. @param {number} cell */
  spot(cell) {
    const { columns, rows } = this.shape;
    if (this.board.view === "strip") return { x: cell % columns, y: Math.floor(cell / columns) };
    const { column, row } = place(this.board, cell);
    return this.isFlipped ? { x: columns - 1 - column, y: row } : { x: column, y: rows - 1 - row };
  }

  #build() {
    const { columns, rows } = this.shape;
    const table = this.root.closest(".table") ?? this.root;
    if (table instanceof HTMLElement) {
      table.style.setProperty("--columns", String(columns));
      table.style.setProperty("--rows", String(rows));
    }
    this.root.classList.toggle("board-strip", this.board.view === "strip");
    /** @type {HTMLElement[]} */ this.cells = [];
    const lines = Array.from({ length: rows }, () => {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      line.className = "board-row";
      return line;
    });
    const total = this.board.width * this.board.height;
    const order = Array.from({ length: total }, (_, cell) => cell);
    order.sort((a, b) => this.spot(a).y - this.spot(b).y || this.spot(a).x - this.spot(b).x);
    for (const cell of order) {
      const element = document.createElement("div");
      element.setAttribute("role", "gridcell");
      element.className = "board-cell";
      element.dataset.cell = String(cell);
      element.tabIndex = -1;
      this.cells[cell] = element;
      lines[this.spot(cell).y].append(element);
    }
    const hadFocus = this.grid.contains(document.activeElement);
    this.grid.replaceChildren(...lines);
    this.focused = Math.min(this.focused, total - 1);
    this.cells[this.focused].tabIndex = 0;
    if (hadFocus) this.cells[this.focused].focus({ preventScroll: true });
  }

  #refresh() {
    this.aimed = null;
    const next = new Set(this.next);
    const off = this.board.width * this.board.height;
    this.exit.hidden = !next.has(off);
    this.exit.textContent = this.toMove === 0 ? "Off the board →" : "Off the board ↑";
    for (const [cell, element] of (this.cells ?? []).entries()) {
      const label = this.#describe(cell, next.has(cell));
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
      element.classList.toggle("is-next", next.has(cell));
      element.setAttribute("aria-selected", String(this.chosen.includes(cell)));
    }
    this.draw();
    this.handlers.onChange();
  }

  /** @param {number} cell @param {boolean} isNext */
  #describe(cell, isNext) {
    const words = [cellName(this.board, cell)];
    for (const player of [0, 1]) {
      if (this.board.pieces[player].includes(cell)) words.push(`Player ${player + 1}`);
    }
    if (has(this.board.blocked, cell)) words.push("blocked");
    if (this.chosen.includes(cell)) words.push("chosen");
    if (isNext) words.push("can be chosen");
    return words.join(", ");
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-cell]");
    if (!(target instanceof HTMLElement)) return;
    const cell = Number(target.dataset.cell);
    this.#focus(cell);
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    if (isTouch && this.#isSmall() && cell !== this.aimed && this.next.includes(cell)) {
      this.aimed = cell;
      this.draw();
      this.handlers.onChange();
      return;
    }
    this.pick(cell);
  }

  /** Whether a finger is larger than a cell. */
  #isSmall() {
    return this.root.clientWidth / this.shape.columns < SMALL_CELL;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { columns, rows } = this.shape;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) {
      const here = this.spot(this.focused);
      const x = Math.min(columns - 1, Math.max(0, here.x + step[0]));
      const y = Math.min(rows - 1, Math.max(0, here.y + step[1]));
      const cell = this.cells?.findIndex((_, cell) => this.spot(cell).x === x && this.spot(cell).y === y) ?? -1;
      if (cell >= 0) this.#focus(cell);
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick(this.focused);
    } else if (event.key === "o" && !this.exit.hidden) {
      this.pick(this.board.width * this.board.height);
    } else if (event.key === "Escape") {
      this.back();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} cell */
  #focus(cell) {
    if (!this.cells) return;
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus({ preventScroll: true });
  }

  draw() {
    if (!this.board || this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.#paint();
    });
  }

  #paint() {
    const { columns, rows } = this.shape;
    const ratio = devicePixelRatio || 1;
    const width = this.root.clientWidth;
    const unit = width / columns;
    const height = unit * rows;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.root);
    const ink = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const next = new Set(this.next);
    const total = this.board.width * this.board.height;
    for (let cell = 0; cell < total; cell++) this.#paintCell(pen, ink, cell, unit, next.has(cell));
    for (const player of [0, 1]) {
      for (const cell of this.board.pieces[player]) this.#paintPiece(pen, ink, player, cell, unit);
    }
    const ghost = this.chosen.length === 1 && this.choices?.then === "open" ? this.chosen[0] : null;
    if (ghost !== null) {
      pen.globalAlpha = 0.55;
      this.#paintToken(pen, ink, this.toMove, this.spot(ghost), unit);
      pen.globalAlpha = 1;
    }
    if (this.slide && performance.now() - this.slide.begun < MOVE_MS) this.draw();
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} ink @param {number} cell
   * @param {number} unit @param {boolean} isNext */
  #paintCell(pen, ink, cell, unit, isNext) {
    const { x, y } = this.spot(cell);
    const gap = Math.max(0.5, unit * 0.035);
    const [left, top, size] = [x * unit + gap, y * unit + gap, unit - 2 * gap];
    const round = Math.min(8, unit * 0.14);
    pen.beginPath();
    pen.roundRect(left, top, size, size, round);
    const isBlocked = has(this.board.blocked, cell);
    pen.fillStyle = ink(isBlocked ? "hatch-ground" : (x + y) % 2 ? "cell-odd" : "cell");
    pen.fill();
    if (isBlocked) {
      pen.save();
      pen.clip();
      pen.strokeStyle = ink("hatch");
      pen.lineWidth = Math.max(1, unit * 0.07);
      pen.beginPath();
      for (let at = -size; at < size; at += Math.max(4, unit * 0.22)) {
        pen.moveTo(left + at, top + size);
        pen.lineTo(left + at + size, top);
      }
      pen.stroke();
      pen.restore();
    }
    this.#paintName(pen, ink, cell, unit);
    const isPending = this.pending?.includes(cell);
    if (this.aimed === cell) {
      pen.beginPath();
      pen.roundRect(left, top, size, size, round);
      pen.fillStyle = ink("choice");
      pen.fill();
    }
    if (this.last.includes(cell) || this.chosen.includes(cell) || isPending) {
      pen.strokeStyle = ink(this.last.includes(cell) && !isPending ? "mark" : "choice");
      pen.lineWidth = Math.max(1.5, unit * 0.05);
      pen.setLineDash(isPending ? [unit * 0.12, unit * 0.08] : []);
      pen.beginPath();
      pen.roundRect(left + 1, top + 1, size - 2, size - 2, round);
      pen.stroke();
      pen.setLineDash([]);
    }
    const isFaint = this.chosen.length === 1 && this.choices?.then === "open";
    if (isNext && !this.board.pieces[this.toMove].includes(cell)) {
      pen.fillStyle = ink("choice");
      pen.globalAlpha = isFaint ? 0.4 : 0.9;
      pen.beginPath();
      pen.arc(left + size / 2, top + size / 2, Math.max(1.5, unit * (isFaint ? 0.06 : 0.11)), 0, 7);
      pen.fill();
      pen.globalAlpha = 1;
    } else if (isNext) {
      pen.strokeStyle = ink("choice");
      pen.lineWidth = Math.max(1.5, unit * 0.05);
      pen.beginPath();
      pen.roundRect(left + 1, top + 1, size - 2, size - 2, round);
      pen.stroke();
    }
  }

  /** Letters along the lower edge, numbers along the left; in a strip every number.
   * @param {CanvasRenderingContext2D} pen @param {(name: string) => string} ink @param {number} cell
   * @param {number} unit */
  #paintName(pen, ink, cell, unit) {
    if (unit < 18) return;
    const { x, y } = this.spot(cell);
    const { rows } = this.shape;
    const { column, row } = place(this.board, cell);
    const isStrip = this.board.view === "strip";
    pen.fillStyle = ink("ink-soft");
    pen.font = `600 ${Math.round(Math.min(12, Math.max(8, unit * 0.2)))}px ${ink("text")}`;
    if (x === 0 || isStrip) {
      pen.textAlign = "left";
      pen.textBaseline = "top";
      pen.fillText(isStrip ? String(cell + 1) : String(row + 1), x * unit + unit * 0.1, y * unit + unit * 0.1);
    }
    if (y === rows - 1 && !isStrip) {
      pen.textAlign = "right";
      pen.textBaseline = "bottom";
      pen.fillText(columnName(column), (x + 1) * unit - unit * 0.1, (y + 1) * unit - unit * 0.06);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} ink @param {number} player
   * @param {number} cell @param {number} unit */
  #paintPiece(pen, ink, player, cell, unit) {
    let at = this.spot(cell);
    const slide = this.slide;
    if (slide && slide.player === player && slide.to === cell) {
      const part = Math.min(1, (performance.now() - slide.begun) / MOVE_MS);
      const eased = 1 - (1 - part) ** 3;
      const from = this.spot(slide.from);
      at = { x: from.x + (at.x - from.x) * eased, y: from.y + (at.y - from.y) * eased };
    }
    const isLeft = this.chosen.length === 1 && this.choices?.then === "open" && player === this.toMove;
    pen.globalAlpha = isLeft ? 0.35 : 1;
    this.#paintToken(pen, ink, player, at, unit);
    pen.globalAlpha = 1;
  }

  /** A circle and a diamond: the players differ by shape and letter too.
   * @param {CanvasRenderingContext2D} pen @param {(name: string) => string} ink @param {number} player
   * @param {{x: number, y: number}} at @param {number} unit */
  #paintToken(pen, ink, player, at, unit) {
    const [x, y] = [(at.x + 0.5) * unit, (at.y + 0.5) * unit];
    pen.fillStyle = ink(`player-${player}`);
    pen.beginPath();
    if (player === 0) {
      pen.arc(x, y, unit * 0.36, 0, 7);
    } else {
      const reach = unit * 0.41;
      pen.moveTo(x, y - reach);
      pen.lineTo(x + reach, y);
      pen.lineTo(x, y + reach);
      pen.lineTo(x - reach, y);
      pen.closePath();
    }
    pen.fill();
    if (unit >= 16) {
      pen.fillStyle = ink("on-player");
      pen.font = `700 ${Math.round(unit * 0.36)}px ${ink("text")}`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(this.board.symbols[player], x, y + unit * 0.02);
    }
  }
}
