// What the server answers when it doesn't do what was asked, and how a page says so. The code and the values are the
// protocol; the server's own sentence is for the codes that this page has no better words for.
import { sentence } from "./sentence.js";

/** @typedef {Record<string, any>} Params */

/** What the server doesn't allow, with its code and, for moves, the game as it is. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, params?: Params, seconds?: number}} error @param {any} [snapshot] */
  constructor(error, snapshot = null) {
    super(error.message);
    this.code = error.code;
    this.params = error.params ?? {};
    this.seconds = Number(error.seconds ?? this.params.seconds ?? 0); // to wait, before it can be tried again
    this.snapshot = snapshot;
  }
}

/** What to say about a code; nothing where its values are missing. @type {Record<string, (refusal: Refusal) => string>} */
const WORDS = {
  rate: ({ seconds }) => (seconds ? `That was too fast. Try again in ${Math.ceil(seconds)} s.` : "That was too fast. Try again."),
  store_down: () => "The server can't save anything right now. Try again in a moment.",
  busy: () => "The server is busy. Try again.",
  internal: () => "Something went wrong on the server. Try again.",
  stale: () => "The game has moved on. Look at the board and try again.",
  over: ({ params }) => (params.why === "replaced" ? "That game is over. There's a newer one in this room." : "The game is over."),
  present: () => "Your opponent is here.",
  no_offer: () => "That offer isn't open any more.",
  not_over: () => "The game isn't over yet.",
  too_late: ({ params }) => (params.why === "takeback" ? "There's too little time left to take a move back." : "You can't abort a game after the second move. You can resign."),
  too_early: ({ seconds }) => (seconds ? `You can claim the game in ${Math.ceil(seconds)} s.` : ""),
  invalid: ({ params }) => (params.field === "name" ? "Enter a name, up to 24 characters." : ""),
};

/** What went wrong, as a sentence. @param {unknown} error */
export function errorWords(error) {
  if (!(error instanceof Error)) return "";
  const known = error instanceof Refusal ? WORDS[error.code]?.(error) : "";
  return known || sentence(error.message);
}
