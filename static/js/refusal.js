// What the server answers when it does not do what was asked.

/** What the server does not allow, with its code and, for moves, the game as it is. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, seconds?: number}} error @param {any} snapshot */
  constructor(error, snapshot) {
    super(error.message);
    this.code = error.code;
    this.seconds = error.seconds ?? 0; // to wait, before it can be tried again
    this.snapshot = snapshot;
  }
}
