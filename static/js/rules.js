// The diagrams of a rules page: play in them, for both sides. The server knows the rules.
import { BoardView } from "./board/board.js";
import { cellName } from "./board/names.js";
import { plainEnding } from "./endings.js";
import { make } from "./page.js";
import { sound } from "./sound.js";
import { Refusal, errorWords } from "./refusal.js";
import { nextTask } from "./tasks.js";

class Diagram {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.address = `/api/diagrams/${figure.dataset.game}/${figure.dataset.name}`;
    /** @type {string[]} */ this.moves = [];
    /** @type {string[]} */ this.shown = []; // those that the board shows
    const frame = figure.querySelector(".diagram-board");
    if (!(frame instanceof HTMLElement)) throw new Error("a diagram has a board");
    const root = make("div");
    frame.replaceChildren(root);
    this.task = make("p", "diagram-task");
    this.task.setAttribute("role", "status");
    this.back = this.#button("Take back", () => this.moves.pop());
    this.again = this.#button("Start again", () => (this.moves = []));
    const buttons = make("div", "buttons");
    buttons.append(this.back, this.again);
    this.board = new BoardView(root, { onMove: (cells) => this.#play(cells), onChange: () => this.#say() });
    frame.after(this.task, buttons);
    /** @type {any} */ this.state = null;
    void this.#load();
  }

  /** @param {string} words @param {() => void} then */
  #button(words, then) {
    const made = /** @type {HTMLButtonElement} */ (make("button", "", words));
    made.type = "button";
    made.addEventListener("click", () => {
      then();
      void this.#load();
    });
    return made;
  }

  /** @param {number[]} cells */
  #play(cells) {
    this.moves.push(cells.map((cell) => cellName(this.state.board, cell)).join("/"));
    sound(cells.length > 1 ? "block" : "step");
    this.board.wait(cells);
    void this.#load();
  }

  async #load() {
    const asked = this.moves.join(" ");
    try {
      const answer = await fetch(`${this.address}?moves=${encodeURIComponent(asked)}`);
      const found = await answer.json();
      if (!answer.ok) throw new Refusal(found.error);
      if (asked !== this.moves.join(" ")) return; // another one is on its way
      this.state = found;
      this.shown = this.moves.slice();
    } catch (error) {
      this.moves = this.shown.slice();
      this.board.refuse();
      this.task.textContent = errorWords(error);
      return;
    }
    this.#show();
  }

  #show() {
    const found = this.state;
    const { board, choices, last } = found;
    this.board.show({ at: this.moves.join(" "), board, choices, toMove: found.to_move, last, isMine: choices !== null });
    this.back.disabled = this.again.disabled = !this.moves.length;
  }

  #say() {
    if (!this.state) return;
    const { outcome, choices, board, passed } = this.state;
    const name = (/** @type {number} */ player) => (/^[12]$/.test(board.symbols[player]) ? `Player ${player + 1}` : board.symbols[player]);
    if (outcome) {
      this.task.textContent = plainEnding(outcome, [name(0), name(1)]);
      return;
    }
    const task = nextTask(choices, this.board.chosen.length > 0);
    const before = passed ? `${name(1 - this.state.to_move)} has no move and passes. ` : "";
    this.task.textContent = `${before}${name(this.state.to_move)}: ${task}.`;
  }
}

for (const figure of document.querySelectorAll("[data-diagram]")) {
  if (figure instanceof HTMLElement) new Diagram(figure);
}
