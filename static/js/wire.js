// The connection to the server: events, answers, and whether it is there.
import { io } from "/static/vendor/socket.io.js";

const ANSWER_MS = 8000;

/** What the server does not allow, with its code and, for moves, the game as it is. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, seconds?: number}} error @param {any} snapshot */
  constructor(error, snapshot) {
    super(error.message);
    this.code = error.code;
    this.snapshot = snapshot;
  }
}

export class Wire {
  /** @param {string} name what the visitor is called */
  constructor(name) {
    this.socket = io({ auth: { name }, transports: ["websocket", "polling"], reconnectionDelayMax: 2000 });
  }

  /** @param {string} event @param {(payload: any) => void} handler */
  on(event, handler) {
    this.socket.on(event, handler);
  }

  /** Called with true when connected, with false when not.
   * @param {(isThere: boolean) => void} handler */
  onPresence(handler) {
    this.socket.on("connect", () => handler(true));
    this.socket.on("disconnect", () => handler(false));
    this.socket.on("connect_error", () => handler(false));
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
        if (error instanceof Refusal) throw error;
        await this.connected();
      }
    }
  }

  /** Wait until there is a connection. @returns {Promise<void>} */
  connected() {
    if (this.socket.connected) return Promise.resolve();
    return new Promise((resolve) => this.socket.once("connect", () => resolve()));
  }
}
