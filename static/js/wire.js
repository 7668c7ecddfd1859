// The connection to the server: events, answers, and whether it is there.
import { io } from "/static/vendor/socket.io.js";
import { Refusal } from "./refusal.js";
import { visitorName } from "./visitor.js";

/** @typedef {import("./commands.js").Commands} Commands */

const ANSWER_MS = 8000;
const TRIES = 3; // before a first connection counts as blocked
const RESTART = 1012; // how a server that ends closes a WebSocket: what it hasn't answered isn't done
/** What can be asked again although it may have been done: then nothing more happens.
 * @type {Set<keyof Commands>} */
const REPEATABLE = new Set(["enter", "leave", "join", "rename", "lobby", "leave_lobby", "watch", "leave_watch", "sync"]);

export class Wire {
  constructor() {
    this.socket = io({
      // Asked for at every connection: the name may be another by then.
      auth: (/** @type {(data: object) => void} */ tell) => tell({ name: visitorName() }),
      transports: ["websocket"],
      // The first try comes fast, as another process may be there. When there's none, not everybody asks all the time:
      // each pause is up to twice the one before, and half of it is random.
      reconnectionDelay: 200,
      reconnectionDelayMax: 5000,
      randomizationFactor: 0.5,
    });
    this.losses = 0;
    this.isRestart = false; // whether the last one was the end of a server that had answered everything else
    this.socket.on("disconnect", (_, details) => {
      this.losses += 1;
      const closed = details && "context" in details ? /** @type {{code?: number} | undefined} */ (details.context) : undefined;
      this.isRestart = closed?.code === RESTART;
    });
  }

  /** Whether there is a connection. */
  get isHere() {
    return this.socket.connected;
  }

  /** @param {string} event @param {(payload: any) => void} handler */
  on(event, handler) {
    this.socket.on(event, handler);
  }

  /** Called with "here" when connected, "lost" when not but tried again, "refused" when not; "blocked" when the server
   * is there and WebSockets never get through to it.
   * @param {(state: "here" | "lost" | "refused" | "blocked") => void} handler */
  onChange(handler) {
    this.#followNetwork(() => handler("lost"));
    this.socket.on("connect", () => handler("here"));
    this.socket.on("disconnect", () => handler("lost"));
    let failures = 0;
    this.socket.once("connect", () => (failures = -Infinity));
    this.socket.on("connect_error", async () => {
      if (!this.socket.active) return handler("refused");
      failures += 1;
      handler(failures >= TRIES && (await isServerThere()) ? "blocked" : "lost");
    });
  }

  /** An attempt to connect that is under way would wait for its own time limit when the network goes, and say nothing.
   * @param {() => void} lost */
  #followNetwork(lost) {
    if (location.hostname === "localhost") return; // which is there without a network
    window.addEventListener("offline", () => {
      this.socket.disconnect();
      lost();
    });
    window.addEventListener("online", () => this.socket.connect());
  }

  /** The answer of the server, or a Refusal; an Error if there is none. Where the connection is lost meanwhile, it's asked
   * again over the next one, if that can't do anything twice.
   * @template {keyof Commands} Name
   * @param {Name} event @param {Commands[Name]} fields @returns {Promise<any>} */
  async ask(event, fields) {
    const { losses } = this;
    const answer = await this.socket.timeout(ANSWER_MS).emitWithAck(event, fields).catch(() => null);
    if (answer?.error) throw new Refusal(answer.error, answer.snapshot);
    if (answer) return answer;
    if (this.losses === losses) throw new Error("the server doesn't answer: try again");
    if ((this.isRestart || REPEATABLE.has(event)) && (await this.#isBack())) return this.ask(event, fields);
    throw new Error("the connection was lost: try again");
  }

  /** The same, but asked again until there is an answer: for what can safely be repeated.
   * @template {keyof Commands} Name
   * @param {Name} event @param {Commands[Name]} fields @param {(refusal: Refusal) => void} [onWait] called when it has to wait
   * @returns {Promise<any>} */
  async insist(event, fields, onWait = () => {}) {
    for (;;) {
      try {
        return await this.ask(event, fields);
      } catch (error) {
        if (error instanceof Refusal && !["rate", "store_down"].includes(error.code)) throw error;
        if (error instanceof Refusal) onWait(error);
        if (error instanceof Refusal) await new Promise((resolve) => setTimeout(resolve, 1000 * error.seconds));
        await this.#connected();
      }
    }
  }

  /** Wait a while for a connection; whether there is one. @returns {Promise<boolean>} */
  #isBack() {
    const late = new Promise((resolve) => setTimeout(() => resolve(false), ANSWER_MS));
    return Promise.race([this.#connected().then(() => true), late]);
  }

  /** Wait until there is a connection. @returns {Promise<void>} */
  #connected() {
    if (this.socket.connected) return Promise.resolve();
    return new Promise((resolve) => this.socket.once("connect", () => resolve()));
  }
}

async function isServerThere() {
  try {
    return (await fetch("/healthz")).ok;
  } catch {
    return false;
  }
}
