// The connection to the server: events, answers, and whether it is there.
import { io } from "/static/vendor/socket.io.js";
import { Refusal } from "./refusal.js";
import { visitorName } from "./visitor.js";

const ANSWER_MS = 8000;

export class Wire {
  constructor() {
    this.socket = io({
      // Asked for at every connection: the name may be another by then.
      auth: (/** @type {(data: object) => void} */ tell) => tell({ name: visitorName() }),
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      reconnectionDelayMax: 2000,
    });
  }

  /** @param {string} event @param {(payload: any) => void} handler */
  on(event, handler) {
    this.socket.on(event, handler);
  }

  /** Called with "here" when connected, "lost" when not but tried again, "refused" when not.
   * @param {(state: "here" | "lost" | "refused") => void} handler */
  onChange(handler) {
    this.socket.on("connect", () => handler("here"));
    this.socket.on("disconnect", () => handler("lost"));
    this.socket.on("connect_error", () => handler(this.socket.active ? "lost" : "refused"));
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
        if (error instanceof Refusal && error.code !== "rate") throw error;
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
