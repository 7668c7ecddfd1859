// A board to look at and to play on. Knows no rules and no socket: it is told what can be chosen.
import { Cells } from "./cells.js";
import { Layout, has } from "./geometry.js";
import { Layers } from "./layers.js";
import { MOVE_MS, motionBetween } from "./motion.js";
import { cellName, nativeName, sideWords } from "./names.js";
import { picture, readInks } from "./paint.js";
import { choose, dragged, isPieceFirst, nextCells } from "./selection.js";

/** @typedef {import("../protocol.js").Board} Board */
/** @typedef {import("../protocol.js").Choices} Choices */

const STRIP_MOST = 13;
const STRIP_MOST_NARROW = 7;
const narrow = matchMedia("(max-width: 40rem)");
const SMALL_CELL = 26; // pixels: below that a tap aims, and a second one chooses

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class BoardView {
  /** @param {HTMLElement} root
   * @param {{onMove?: (cells: number[]) => void, onChange?: () => void, onPoint?: (cell: number | null) => void,
   *   onMiss?: (cell: number | null) => void}} handlers `onMiss` hears of a cell that can't be chosen; null once another is */
  constructor(root, handlers = {}) {
    this.root = root;
    this.handlers = handlers;
    root.classList.add("board-view");
    root.replaceChildren();
    this.layers = new Layers(root, () => this.#look());
    this.cells = new Cells(root, {
      onPick: (cell, isTouch) => this.#picked(cell, isTouch),
      onPoint: (cell) => this.handlers.onPoint?.(cell),
      onKey: (key) => this.#key(key),
      onDrag: (drag) => this.#drag(drag),
      onDrop: (drag) => this.#drop(drag),
    });
    this.exit = document.createElement("button");
    this.exit.type = "button";
    this.exit.className = "board-exit";
    this.exit.hidden = true;
    this.exit.setAttribute("aria-label", "Off the board");
    this.exit.addEventListener("click", () => this.pick(this.off));
    root.append(this.exit);
    /** @type {number[]} */ this.chosen = []; // cells of a move that is not whole yet
    /** @type {number[] | null} */ this.pending = null; // a move on its way to the server
    /** @type {number | null} */ this.aimed = null; // a cell tapped once, where cells are small
    /** @type {import("./cells.js").Drag | null} */ this.held = null; // a piece that is being dragged
    this.isFlipped = false;
    this.at = ""; // names the position
    this.isMine = false; // whether there is something to be chosen
    /** @type {Board | null} */ this.board = null;
    /** @type {Choices | null} */ this.choices = null;
    this.toMove = 0;
    /** @type {number[]} */ this.last = []; // the cells of the last move
    /** @type {import("./motion.js").Motion | null} */ this.motion = null;
    this.begun = 0; // when the motion began
    new ResizeObserver(() => this.#fit()).observe(root);
  }

  /** Show a position. `at` names it: what was chosen in the same one stays chosen.
   * @param {{at: string, board: Board, choices: Choices | null, toMove: number, last: number[], isMine: boolean,
   *   pending?: number[] | null}} state */
  show(state) {
    const before = this.board;
    const isSame = this.at === state.at;
    const wasMine = this.isMine;
    Object.assign(this, { pending: null, ...state });
    if (!isSame || !this.isMine) {
      this.chosen = [];
      this.aimed = null;
      this.held = null;
    }
    if (!isSame) {
      this.root.classList.remove("board-refused");
      this.motion = calm.matches ? null : motionBetween(before, state.board);
      this.begun = performance.now();
    }
    this.cells.arrange(this.layout);
    if ((!isSame || !wasMine) && this.isMine && !this.cells.hasFocus) this.#moveTabStop();
    this.#refresh();
    if (!isSame && this.isZoomed) this.#reveal();
  }

  get layout() {
    // By the window: how wide the board is depends on how it is laid out.
    const most = narrow.matches ? STRIP_MOST_NARROW : STRIP_MOST;
    return new Layout(/** @type {Board} */ (this.board), this.isFlipped, most);
  }

  /** The number that stands for leaving the board. */
  get off() {
    return this.board ? this.board.width * this.board.height : -1;
  }

  get next() {
    if (!this.isMine || this.pending || !this.board) return [];
    return nextCells(this.choices, this.board, this.toMove, this.chosen);
  }

  /** Choose again what was chosen before the page was reloaded. @param {number[]} cells */
  resume(cells) {
    if (cells.length === 1 && this.next.includes(cells[0])) this.pick(cells[0]);
  }

  /** Take the cells chosen so far back. */
  back() {
    this.chosen = [];
    this.aimed = null;
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
    this.motion = null;
    this.#fit();
  }

  focus() {
    this.cells.focus(this.cells.focused);
  }

  get isZoomed() {
    return this.root.parentElement?.classList.contains("is-zoomed") ?? false;
  }

  /** Show the board larger, in a frame that scrolls; or whole again. */
  zoom() {
    this.root.parentElement?.classList.toggle("is-zoomed");
    if (this.isZoomed) this.#reveal();
  }

  /** Where the player to move stands, in sight. */
  #reveal() {
    const cell = this.board?.pieces[this.toMove][0];
    if (cell !== undefined) this.cells.elements[cell]?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** @param {number} cell */
  pick(cell) {
    if (!this.board) return;
    const { choices, board, toMove, chosen } = this;
    const made = this.isMine && !this.pending ? choose(choices, board, toMove, chosen, cell) : null;
    this.aimed = null;
    if (!made || made.is === "miss") return this.#miss(cell);
    this.chosen = made.chosen;
    this.handlers.onMiss?.(null);
    if (made.is === "whole") this.handlers.onMove?.(made.chosen);
    else this.#refresh();
  }

  /** @param {number} cell */
  #miss(cell) {
    if (!this.handlers.onMiss) return;
    if (cell < this.off) this.cells.miss(cell);
    this.#refresh();
    this.handlers.onMiss(cell);
  }

  /** Whether a press on a cell may drag the piece there: one's own, or where it has just been put. @param {number} cell */
  #canDrag(cell) {
    if (!this.isMine || this.pending || !this.board) return false;
    const { choices, chosen } = this;
    if (isPieceFirst(choices)) return choices?.first.includes(cell) ?? false;
    return chosen.length ? cell === chosen[0] : this.board.pieces[this.toMove].includes(cell);
  }

  /** @param {import("./cells.js").Drag} drag */
  #drag(drag) {
    this.held = drag;
    this.layers.paintSoon();
  }

  /** @param {import("./cells.js").Drag | null} drag */
  #drop(drag) {
    this.held = null;
    if (!drag || !this.board || !this.#canDrag(drag.from)) return this.#refresh();
    const over = drag.over >= 0 ? drag.over : this.#isPastExit(drag) ? this.off : drag.from;
    if (over === drag.from) return this.#refresh();
    const before = this.chosen;
    this.chosen = [];
    for (const cell of dragged(this.choices, drag.from, over)) this.pick(cell);
    if (!this.chosen.length && !this.pending) this.chosen = before; // it fell where it can't stand
    this.#refresh();
  }

  /** Whether a piece is dragged over the edge that its player leaves by. @param {{x: number, y: number}} drag */
  #isPastExit({ x, y }) {
    const way = this.layout.way(this.toMove);
    return (way.x > 0 && x > 1) || (way.x < 0 && x < 0) || (way.y < 0 && y < 0) || (way.y > 0 && y > 1);
  }

  /** The name of a cell, and what the game's own text calls it. @param {number} cell */
  nameOf(cell) {
    if (!this.board) return "";
    const [name, own] = [cellName(this.board, cell), nativeName(this.board, cell)];
    return own && own !== name ? `${name} · ${own}` : name;
  }

  /** The position as a picture. @param {number} width */
  picture(width) {
    const look = this.#look();
    if (!look) throw new Error("there is no board yet");
    return picture({ ...look, motion: null, next: new Set() }, readInks(this.root), width);
  }

  /** Where the keyboard comes in: at a cell that can be chosen. */
  #moveTabStop() {
    const cell = this.next.find((one) => one < this.off);
    if (cell !== undefined) this.cells.makeTabStop(cell);
  }

  #fit() {
    if (!this.board) return;
    this.cells.arrange(this.layout);
    this.#refresh();
  }

  #refresh() {
    if (!this.board) return;
    const { columns, rows } = this.layout;
    const table = this.root.closest(".table") ?? this.root;
    if (table instanceof HTMLElement) {
      table.style.setProperty("--columns", String(columns));
      table.style.setProperty("--rows", String(rows));
    }
    const next = new Set(this.next);
    this.#placeExit(next.has(this.off));
    for (let cell = 0; cell < this.off; cell++) {
      const words = this.#describe(this.board, cell, next.has(cell));
      this.cells.describe(cell, words, next.has(cell), this.chosen.includes(cell), this.#canDrag(cell));
    }
    this.layers.paintSoon();
    this.handlers.onChange?.();
  }

  /** The way off the board is beside the chosen piece, in the margin at the edge where it leaves. @param {boolean} isOpen */
  #placeExit(isOpen) {
    this.root.classList.toggle("has-exits", this.board?.off !== undefined);
    this.root.classList.toggle("is-flipped", this.isFlipped);
    this.exit.hidden = !isOpen;
    if (!isOpen) return;
    const { columns, rows } = this.layout;
    const [spot, way] = [this.layout.spot(this.chosen[0]), this.layout.way(this.toMove)];
    this.exit.className = `board-exit is-${way.x ? "beside" : "beyond"}`;
    this.exit.textContent = way.x ? (way.x > 0 ? "→" : "←") : way.y < 0 ? "↑" : "↓";
    this.exit.style.setProperty("--along", way.x ? `${(100 * spot.y) / rows}%` : `${(100 * spot.x) / columns}%`);
    this.exit.style.setProperty("--length", way.x ? `${100 / rows}%` : `${100 / columns}%`);
  }

  /** @param {Board} board @param {number} cell @param {boolean} isNext */
  #describe(board, cell, isNext) {
    const words = [cellName(board, cell)];
    for (const player of [0, 1]) {
      if (board.pieces[player].includes(cell)) words.push(sideWords(board.symbols, player));
    }
    if (has(board.blocked, cell)) words.push("blocked");
    if (this.chosen.includes(cell)) words.push("chosen");
    if (isNext) words.push("can be chosen");
    return words.join(", ");
  }

  /** @param {number} cell @param {boolean} isTouch */
  #picked(cell, isTouch) {
    if (isTouch && this.isSmall && cell !== this.aimed && this.next.includes(cell)) {
      this.aimed = cell;
      this.layers.paintSoon();
      this.handlers.onChange?.();
    } else {
      this.pick(cell);
    }
  }

  /** Whether a finger is larger than a cell. */
  get isSmall() {
    return this.board !== null && this.root.clientWidth / this.layout.columns < SMALL_CELL;
  }

  /** @param {string} key */
  #key(key) {
    if (key === "o" && !this.exit.hidden) this.pick(this.off);
    else if (key === "Escape" && this.chosen.length) this.back();
    else return false;
    return true;
  }

  /** @returns {import("./paint.js").Look | null} */
  #look() {
    if (!this.board) return null;
    const part = this.motion ? Math.min(1, (performance.now() - this.begun) / MOVE_MS) : 1;
    if (part >= 1) this.motion = null;
    if (this.motion) this.layers.paintSoon();
    const { board, last, chosen, pending, aimed, held, toMove, motion } = this;
    const isSecond = chosen.length === 1 && this.choices?.then === "open";
    const next = new Set(this.next);
    return { layout: this.layout, board, last, next, chosen, pending, aimed, held, toMove, isSecond, ...this.#ghost(board), motion, part };
  }

  /** Where the piece will stand that is being moved, and which one is about to leave. @param {Board} board */
  #ghost(board) {
    if (this.held) return { ghost: null, faded: board.pieces[this.toMove].includes(this.held.from) ? this.held.from : board.pieces[this.toMove][0] };
    const cells = this.pending ?? this.chosen;
    const then = this.choices?.then;
    if (!cells.length || (!then && !this.pending)) return { ghost: null, faded: null };
    if (then === "open") return { ghost: cells[0], faded: board.pieces[this.toMove][0] };
    return then ? { ghost: cells[1] ?? null, faded: cells[1] === undefined ? null : cells[0] } : { ghost: cells[0], faded: null };
  }
}

/** A board to look at only; `show` another position, `end` when it is taken away.
 * @param {HTMLElement} root @param {Board} board @param {number[]} last @param {number} toMove */
export function miniature(root, board, last, toMove) {
  root.classList.add("board-view");
  const nothing = { next: new Set(), chosen: [], pending: null, aimed: null, held: null, isSecond: false, ghost: null, faded: null };
  let look = { board, last, toMove, layout: new Layout(board, false, STRIP_MOST) };
  root.style.setProperty("--columns", String(look.layout.columns));
  root.style.setProperty("--rows", String(look.layout.rows));
  const layers = new Layers(root, () => ({ ...nothing, ...look, motion: null, part: 1 }));
  const observer = new ResizeObserver(() => layers.paintSoon());
  observer.observe(root);
  return {
    /** @param {Board} newBoard @param {number[]} newLast @param {number} newToMove */
    show(newBoard, newLast, newToMove) {
      look = { board: newBoard, last: newLast, toMove: newToMove, layout: new Layout(newBoard, false, STRIP_MOST) };
      layers.paintSoon();
    },
    end() {
      observer.disconnect();
      layers.end();
    },
  };
}
