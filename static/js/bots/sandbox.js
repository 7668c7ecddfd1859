// A bot of the visitor's, run where it can do no harm: in a worker inside a sandboxed frame. The page asks, waits so
// long and no longer, and takes the frame away from a bot that does not answer, or not as it should. Whatever comes
// from the frame may come from the bot itself: nothing of it is believed.

const START_MS = 10_000;
const LOAD_MS = 3000;
const MARGIN_MS = 250; // beyond a time limit, for the way there and back
const MOST_LINES = 110; // of the console for each request; the worker itself stops at 100
const LONGEST_LINE = 500;
const LONGEST_ANSWER = 4000;
const STOPPED = "it has been stopped";

/** What a bot did wrong; `line` is where in its text, if that is known. */
export class BotFault extends Error {
  /** @param {string} message @param {number | null} [line] */
  constructor(message, line = null) {
    super(line ? `${message} (line ${line})` : message);
    this.line = line;
    /** @type {number[]} */ this.calls = []; // nanoseconds
  }
}

/** What is asked of the frame at the moment: settled by an answer, by the time, or by the end of the frame. */
class Pending {
  /** @param {number} ms @param {string} words of a fault, when nothing comes */
  constructor(ms, words) {
    this.id = 0;
    /** @type {Promise<any>} */ this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.answer.catch(() => null); // whoever asked may have gone
    this.timer = setTimeout(() => this.fail(words), ms);
  }

  /** @param {unknown} value */
  settle(value) {
    clearTimeout(this.timer);
    this.resolve?.(value);
  }

  /** @param {string} words */
  fail(words) {
    clearTimeout(this.timer);
    this.reject?.(new BotFault(words));
  }
}

export class Sandbox {
  /** @param {string} text @param {string} name @param {(line: string) => void} onLine what the bot writes to its console */
  constructor(text, name, onLine = () => {}) {
    this.text = text;
    this.name = name;
    /** @type {"move" | "competitor"} */ this.api = "move";
    this.hasHooks = false;
    this.onLine = onLine;
    /** @type {HTMLIFrameElement | null} */ this.frame = null;
    /** @type {MessagePort | null} */ this.port = null;
    /** @type {Pending | null} */ this.pending = null;
    this.player = 0;
    this.isOver = false; // the game
    this.asked = 0;
    this.lines = 0; // since something was asked last
  }

  /** Load the text; BotFault if there is no bot in it. */
  async load() {
    await this.#start();
    const found = await this.#ask({ do: "load", text: this.text, name: this.name }, LOAD_MS);
    this.api = found.api === "competitor" ? "competitor" : "move";
    this.hasHooks = found.hasHooks === true;
    if (this.api === "competitor") this.name = String(found.name).slice(0, 40).trim() || this.name;
  }

  /** A new game, which is a match of its own: what the last one left behind is forgotten. @param {number} player */
  async begin(player) {
    this.player = player;
    this.isOver = false;
    await this.load();
    await this.#ask({ do: "begin", match: { id: "", player_number: player, total_games: 1 } }, LOAD_MS);
  }

  /** The game is over: tell the bot if it wants to know, then end it. @param {number | null} winner */
  async finish(winner) {
    if (this.isOver) return; // it's being told
    this.isOver = true;
    if (this.hasHooks && this.port && !this.pending) {
      const player_wins = [0, 1].map((player) => Number(player === winner));
      const draws = Number(winner === null);
      const matchResults = { total_games: 1, games_played: 1, current_game: 1, player_wins, draws, render_history: [] };
      const results = { winner, draw: winner === null };
      await this.#ask({ do: "end", id: "", results, matchResults }, LOAD_MS).catch((error) => {
        if (error.message !== STOPPED) this.onLine(error.message);
      });
    }
    this.end();
  }

  /** Ask the bot, which may take so long. @param {object} request @param {number} ms
   * @returns {Promise<{value: unknown, ns: number}>} */
  async call(request, ms) {
    if (!this.frame) await this.begin(this.player); // ended after its last fault: a new one takes its place
    const begun = performance.now();
    const wall = () => Math.max(1, Math.round((performance.now() - begun) * 1e6));
    try {
      const { json } = await this.#ask({ do: "call", request }, ms + MARGIN_MS, `it took longer than ${ms} ms`);
      const taken = wall(); // the bot could tell any time
      if (taken > ms * 1e6) throw new BotFault(`it took ${Math.round(taken / 1e6)} ms, and may take ${ms}`);
      return { value: this.#read(json), ns: taken };
    } catch (error) {
      if (error instanceof BotFault) error.calls = [wall()];
      throw error;
    }
  }

  /** @param {unknown} json */
  #read(json) {
    try {
      if (typeof json === "string" && json.length <= LONGEST_ANSWER) return JSON.parse(json);
    } catch {
      // Said below.
    }
    this.end();
    throw new BotFault("it answered something that can't be read");
  }

  /** Take it away, whatever it is doing. */
  end(words = STOPPED) {
    this.frame?.remove();
    this.port?.close();
    this.frame = this.port = null;
    this.pending?.fail(words);
    this.pending = null;
  }

  async #start() {
    this.end();
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = "Where your bot runs";
    frame.tabIndex = -1;
    frame.setAttribute("aria-hidden", "true");
    frame.className = "hidden";
    frame.allow = "cross-origin-isolated";
    frame.src = "/sandbox";
    this.frame = frame;
    const pending = (this.pending = new Pending(START_MS, "the sandbox can't be started"));
    const hear = (/** @type {MessageEvent} */ { source, data }) => {
      if (source === frame.contentWindow && data === "ready") pending.settle(null);
    };
    addEventListener("message", hear);
    document.body.append(frame);
    await pending.answer.finally(() => removeEventListener("message", hear));
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.onmessage = ({ data }) => this.#hear(data);
    frame.contentWindow?.postMessage({ do: "start" }, "*", [port2]);
  }

  /** @param {any} data */
  #hear(data) {
    const { pending } = this;
    if (typeof data !== "object" || data === null) return this.end("it sent something that can't be read");
    if (pending && data.id === pending.id) return pending.settle(data);
    if (typeof data.line !== "string") return;
    this.lines += 1;
    if (this.lines > MOST_LINES || data.line.length > LONGEST_LINE) return this.end("it wrote far too much");
    this.onLine(data.line);
  }

  /** @param {object} request @param {number} ms @param {string} [words] of a bot that does not answer */
  async #ask(request, ms, words = `it did not answer in ${ms / 1000} s`) {
    if (!this.port) throw new BotFault(STOPPED);
    const pending = (this.pending = new Pending(ms, words));
    pending.id = ++this.asked;
    this.lines = 0;
    this.port.postMessage({ id: pending.id, ...request });
    try {
      const found = await pending.answer;
      if (typeof found.fault !== "string") return found;
      const line = Number(found.line) || (found.isSyntax ? await this.#badLine() : null);
      throw new BotFault(found.fault.slice(0, 600), line);
    } catch (error) {
      if (error instanceof BotFault && error.message === words) this.end();
      throw error;
    } finally {
      if (this.pending === pending) this.pending = null;
    }
  }

  /** @returns {Promise<number | null>} */
  #badLine() {
    const { port1, port2 } = new MessageChannel();
    const pending = new Pending(LOAD_MS, "");
    port1.onmessage = ({ data }) => pending.settle(data);
    this.frame?.contentWindow?.postMessage({ do: "probe", text: this.text }, "*", [port2]);
    return pending.answer.then((found) => Number(found?.line) || null, () => null).finally(() => port1.close());
  }
}
