// A bot of the visitor's, run where it can do no harm: in a worker inside a sandboxed frame. The page asks, waits so
// long and no longer, and takes the frame away from a bot that does not answer.

const START_MS = 10_000;
const LOAD_MS = 3000;
const MARGIN_MS = 250; // beyond a time limit, for the way there and back

/** What a bot did wrong; `line` is where in its text, if that is known. */
export class BotFault extends Error {
  /** @param {string} message @param {number | null} [line] */
  constructor(message, line = null) {
    super(line ? `${message} (line ${line})` : message);
    this.line = line;
    /** @type {number[]} */ this.calls = []; // nanoseconds
  }
}

/** @template T @param {Promise<T>} promise @param {number} ms @param {string} words @returns {Promise<T>} */
function within(promise, ms, words) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new BotFault(words)), ms);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The next message of a port or window that fits. @param {EventTarget} from @param {(event: MessageEvent) => boolean} fits
 * @returns {Promise<any>} */
function next(from, fits) {
  return new Promise((resolve) => {
    const hear = (/** @type {Event} */ event) => {
      const message = /** @type {MessageEvent} */ (event);
      if (!fits(message)) return;
      from.removeEventListener("message", hear);
      resolve(message.data);
    };
    from.addEventListener("message", hear);
  });
}

export class Sandbox {
  /** @param {string} text @param {string} name @param {(line: string) => void} onLine what the bot writes to its console */
  constructor(text, name, onLine = () => {}) {
    this.text = text;
    this.name = name;
    this.api = "";
    this.onLine = onLine;
    /** @type {HTMLIFrameElement | null} */ this.frame = null;
    /** @type {MessagePort | null} */ this.port = null;
    this.asked = 0;
  }

  /** Load the text; BotFault if there is no bot in it. */
  async load() {
    await this.#start();
    const found = await this.#ask({ do: "load", text: this.text, name: this.name }, LOAD_MS);
    this.api = found.api === "competitor" ? "competitor" : "move";
    this.name = String(found.name).slice(0, 40) || this.name;
  }

  /** A new game: what the last one left behind is forgotten. */
  async begin() {
    this.end();
    await this.load();
    await this.#ask({ do: "begin" }, LOAD_MS);
  }

  /** Ask the bot, which may take so long. @param {object} request @param {number} ms
   * @returns {Promise<{value: unknown, ns: number}>} */
  async call(request, ms) {
    if (!this.frame) await this.begin(); // ended after its last fault: a new one takes its place
    const begun = performance.now();
    try {
      const { json, ns } = await this.#ask({ do: "call", request }, ms + MARGIN_MS, `it took longer than ${ms} ms`);
      if (ns > ms * 1e6) throw new BotFault(`it took ${Math.round(ns / 1e6)} ms, and may take ${ms}`);
      return { value: JSON.parse(String(json)), ns: Math.max(1, Math.round(Number(ns))) };
    } catch (error) {
      if (error instanceof BotFault) error.calls = [Math.round((performance.now() - begun) * 1e6)];
      throw error;
    }
  }

  /** Take it away, whatever it is doing. */
  end() {
    this.frame?.remove();
    this.port?.close();
    this.frame = this.port = null;
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
    const ready = next(window, (event) => event.source === frame.contentWindow && event.data === "ready");
    document.body.append(frame);
    await within(ready, START_MS, "the sandbox can not be started");
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.addEventListener("message", ({ data }) => typeof data.line === "string" && this.onLine(data.line));
    port1.start();
    frame.contentWindow?.postMessage({ do: "start" }, "*", [port2]);
  }

  /** @param {object} request @param {number} ms @param {string} [words] of a bot that does not answer */
  async #ask(request, ms, words = `it did not answer in ${ms / 1000} s`) {
    const { port } = this;
    if (!port) throw new BotFault("it has been stopped");
    const id = ++this.asked;
    const answer = next(port, (event) => event.data?.id === id);
    port.postMessage({ id, ...request });
    try {
      const found = await within(answer, ms, words);
      if (typeof found.fault !== "string") return found;
      const line = found.line ?? (found.isSyntax ? await this.#badLine() : null);
      throw new BotFault(found.fault, line);
    } catch (error) {
      if (error instanceof BotFault && error.message === words) this.end();
      throw error;
    }
  }

  /** @returns {Promise<number | null>} */
  async #badLine() {
    const { port1, port2 } = new MessageChannel();
    const answer = next(port1, () => true);
    port1.start();
    this.frame?.contentWindow?.postMessage({ do: "probe", text: this.text }, "*", [port2]);
    return within(answer, LOAD_MS, "").then(({ line }) => Number(line) || null, () => null);
  }
}
