// The connection to the server: events, answers, and whether it is there.
import { io } from "/static/vendor/socket.io.js";
import { Refusal } from "./refusal.js";
import { visitorName } from "./visitor.js";

const ANSWER_MS = 8000;
const TRIES = 3; // before a first connection counts as blocked

export class Wire {
  constructor() {
    this.socket = io({
      // Asked for at every connection: the name may be another by then.
      auth: (/** @type {(data: object) => void} */ tell) => tell({ name: visitorName() }),
      transports: ["websocket"],
      reconnectionDelayMax: 2000,
    });
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

  /** The answer of the server, or a Refusal; an Error if there is none.
   * @param {string} event @param {object} fields @returns {Promise<any>} */
  async ask(event, fields = {}) {
    const answer = await this.socket.timeout(ANSWER_MS).emitWithAck(event, fields).catch(() => {
      throw new Error("the server does not answer: try again");
    });
    if (answer.error) throw new Refusal(answer.error, answer.snapshot);
    return answer;
  }

  /** The same, but asked again until there is an answer: for what can safely be repeated.
   * @param {string} event @param {object} fields @returns {Promise<any>} */
  async insist(event, fields) {
    for (;;) {
      try {
        return await this.ask(event, fields);
      } catch (error) {
        if (error instanceof Refusal && !["rate", "store_down"].includes(error.code)) throw error;
        if (error instanceof Refusal) await new Promise((resolve) => setTimeout(resolve, 1000 * error.seconds));
        await this.#connected();
      }
    }
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
