// A contest on a page: the board, Auto Run, Pause and Step, the action window, the times. templates/contest.html has its parts.
import { BoardView } from "../board/board.js";
import { watchConnection } from "../connection.js";
import { button, element, input, make, onPress, part } from "../page.js";
import { sound } from "../sound.js";
import { recall, remember } from "../visitor.js";
import { reasonWords, resultWords } from "../endings.js";
import { Refusal, errorWords } from "../refusal.js";
import { sentence } from "../sentence.js";
import { nanoseconds, placeWords } from "./turns.js";
import { Contest, Left } from "./contest.js";

/** @typedef {import("./contest.js").Entrant} Entrant */
/** @typedef {{variant: import("../protocol.js").VariantKey, options: object, entrants: Entrant[]}} Wanted */

const MOST_ACTIONS = 1000; // in the window

export class ContestPanel {
  /** @param {import("../wire.js").Wire} wire
   * @param {{prepare: () => Promise<Wanted>, onFault?: (player: number, error: Error) => void, enter?: () => Promise<void>}} page
   *   `prepare` says what is to be played, or throws what is in the way */
  constructor(wire, page) {
    this.page = page;
    this.contest = new Contest(wire, {
      onChange: () => this.show(),
      onFault: page.onFault,
      onTrouble: (error) => this.tell(errorWords(error)),
    });
    this.board = new BoardView(part("board"), {
      onPoint: (cell) => this.#point(cell),
    });
    /** @type {import("../protocol.js").Board | null} */ this.empty = null; // as a game would begin
    this.previews = 0;
    /** @type {number | null} */ this.pointed = null;
    this.isReady = false; // until there's a board, a press would be lost in what the page still does
    this.isRunning = false;
    this.isBusy = false;
    this.runs = 0; // how often it was set going: an earlier one ends when a new one begins
    this.resets = 0; // what was under way before the last one is not told
    /** @type {Entrant[]} */ this.entrants = []; // that were made ready, and may not be in the game yet
    /** @type {Promise<boolean>} */ this.doing = Promise.resolve(false);
    this.listed = 0; // actions that are in the window
    this.speed = element("speed", HTMLSelectElement);
    this.speed.value = String(recall("contest.speed") ?? this.speed.value);
    this.speed.addEventListener("change", () => remember("contest.speed", this.speed.value));
    input("limit").value = String(recall("contest.limit") ?? input("limit").value);
    input("limit").addEventListener("change", () => remember("contest.limit", input("limit").value));
    onPress("run", () => (this.isRunning ? this.pause() : void this.#run()));
    onPress("step", () => void this.#step());
    onPress("again", () => void this.reset());
    part("board").addEventListener("click", () => this.#pin());
    addEventListener("pagehide", () => void this.contest.stop());
    watchConnection(wire, async () => {
      await page.enter?.();
      await this.contest.resume();
    });
  }

  // Doing.

  pause() {
    this.isRunning = false;
    this.show();
  }

  /** Leave the game that there is; the board is as before the first move. */
  async reset() {
    this.resets += 1;
    this.pause();
    this.tell("");
    this.#endAll();
    await this.contest.stop();
    this.#clear();
    this.show();
  }

  async #run() {
    const run = ++this.runs;
    if (this.contest.isOver) await this.reset();
    this.isRunning = true;
    this.show();
    while (this.isRunning && run === this.runs && (await this.#one())) {
      await new Promise((resolve) => setTimeout(resolve, Number(this.speed.value)));
    }
    if (run === this.runs) this.pause();
  }

  async #step() {
    if (this.contest.isOver) await this.reset();
    await this.#one(true);
  }

  /** Show one action more, after whatever is being done. @returns {Promise<boolean>} */
  #one(isStep = false) {
    this.doing = this.doing.then(() => this.#act(isStep));
    return this.doing;
  }

  /** False when there is no action more, or nobody wants it any longer. @param {boolean} isStep */
  async #act(isStep) {
    if (!isStep && !this.isRunning) return false;
    const run = this.resets;
    this.isBusy = true;
    this.show();
    try {
      if (!this.contest.isBegun) await this.#begin();
      const isThere = await this.contest.ready();
      if (!isThere || !(isStep || this.isRunning)) return false;
      this.contest.take();
      this.#ring();
      return !this.contest.isOver;
    } catch (error) {
      if (!this.contest.isBegun) this.#endAll();
      if (run === this.resets) this.tell(errorWords(error));
      return false;
    } finally {
      this.isBusy = false;
      this.show();
    }
  }

  async #begin() {
    this.tell("");
    const limit = Number(input("limit").value);
    if (!(limit >= 10 && limit <= 60_000)) throw new Error("a call may take 10 to 60,000 ms");
    this.contest.limit = limit;
    const { resets } = this;
    const { variant, options, entrants } = await this.page.prepare();
    this.entrants = entrants;
    if (resets !== this.resets) throw new Left();
    this.#clear();
    await this.contest.begin(variant, options, entrants);
  }

  #endAll() {
    for (const one of this.entrants.splice(0)) if (one.kind === "own") one.sandbox.end();
  }

  #clear() {
    this.listed = 0;
    part("actions").replaceChildren();
  }

  #ring() {
    const { shown } = this.contest;
    const [before, now] = [shown.at(-2), shown.at(-1)];
    if (this.contest.isOver) sound("over");
    else if (now?.isFault) sound("join");
    else sound(before && before.board.blocked !== now?.board.blocked ? "block" : "step");
  }

  // Showing.

  /** @param {string} words */
  tell(words) {
    part("contest-refusal").textContent = words;
  }

  /** Show the board as a game would begin. @param {string} variant @param {object} options */
  async preview(variant, options) {
    const asked = ++this.previews;
    try {
      const answer = await fetch(`/api/start/${variant}?${new URLSearchParams({ options: JSON.stringify(options) })}`);
      const found = await answer.json();
      if (!answer.ok) throw new Refusal(found.error);
      if (asked !== this.previews) return; // another has been asked for since
      this.empty = found.board;
    } catch (error) {
      this.tell(errorWords(error));
    } finally {
      this.isReady = true;
      this.show();
    }
  }

  show() {
    const { contest } = this;
    const action = contest.shown.at(-1);
    const board = action?.board ?? (contest.state && !contest.shown.length ? this.#first() : null) ?? this.empty;
    if (board) {
      this.board.show({
        at: `${contest.state?.game ?? ""} ${contest.shown.length} ${board.width} ${board.height}`,
        board,
        choices: null,
        toMove: action?.toMove ?? board.to_move ?? 0,
        last: action?.last ?? [],
        isMine: false,
      });
    }
    button("run").textContent = this.isRunning ? "Pause" : "Auto Run";
    button("run").setAttribute("aria-pressed", String(this.isRunning));
    button("run").disabled = !this.isReady;
    button("step").disabled = !this.isReady || this.isRunning || this.isBusy;
    button("again").disabled = !contest.isBegun;
    part("task").textContent = this.#task();
    for (const player of [0, 1]) this.#showTimes(player);
    this.#showActions();
    this.#showLinks();
  }

  /** The board before the first action. */
  #first() {
    const { state, waiting } = this.contest;
    return state && !waiting.length && !state.ply ? state.board : null;
  }

  #task() {
    const { contest } = this;
    const { state } = contest;
    if (!this.isReady) return "Loading …";
    if (!state) return this.isBusy ? "Starting …" : "Choose the players, then press Auto Run or Step.";
    if (!contest.isFull) return "Waiting for a player to come …";
    const name = (/** @type {number} */ player) => state.players[player].name || `Player ${player + 1}`;
    const looking = { ...state, you: [] }; // whoever directs looks on, even where they play, too
    if (contest.isOver) return `${sentence(resultWords(looking))} ${reasonWords(looking)}`;
    const toMove = contest.shown.at(-1)?.toMove ?? state.board.to_move ?? 0;
    const verb = this.isBusy ? "is thinking …" : "is next.";
    return `${name(toMove)} ${verb}`;
  }

  /** @param {number} player */
  #showTimes(player) {
    const { state, times } = this.contest;
    const [found, board] = [times[player], state?.board ?? this.empty];
    part(`name-${player}`).textContent = state?.players[player].name || `Player ${player + 1}`;
    if (board) part(`token-${player}`).textContent = board.symbols[player];
    const words = found.calls ? [`latest ${nanoseconds(found.latest)}`, `average ${nanoseconds(found.average)}`] : [];
    part(`times-${player}`).replaceChildren(...words.map((line) => make("span", "", line)));
  }

  #showActions() {
    const { shown } = this.contest;
    part("no-actions").hidden = shown.length > 0;
    if (shown.length === this.listed) return;
    const items = shown.slice(this.listed).map((action) => {
      const item = make("li", action.isFault ? "is-fault" : "");
      const who = this.contest.state?.board.symbols[action.player] ?? "";
      item.append(make("span", `token token-${action.player}`, who), make("span", "action-words", action.words));
      if (action.ns !== null) item.append(make("span", "action-time", nanoseconds(action.ns)));
      return item;
    });
    this.listed = shown.length;
    const list = part("actions");
    list.append(...items);
    while (list.childElementCount > MOST_ACTIONS) list.firstElementChild?.remove();
    list.parentElement?.scrollTo({ top: list.scrollHeight });
  }

  #showLinks() {
    const { state } = this.contest;
    part("contest-links").hidden = !state;
    if (!state) return;
    element("watch-link", HTMLAnchorElement).href = `/room/${state.room}`;
    element("replay-link", HTMLAnchorElement).href = `/game/${state.game}`;
  }

  /** @param {number | null} cell */
  #point(cell) {
    const { board } = this.board;
    if (cell !== null) this.pointed = cell;
    part("cell-name").textContent = cell === null || !board ? "" : placeWords(board, cell);
  }

  /** Keep the position of the square that was clicked. */
  #pin() {
    const { board } = this.board;
    if (board && this.pointed !== null) part("position").textContent = `Position: ${placeWords(board, this.pointed)}`;
  }
}
