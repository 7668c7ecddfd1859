// What there is to do in a turn, in words: the server sends codes.

/** @typedef {import("./protocol.js").Choices} Choices */

/** @type {Record<string, string>} */
const PIECES = { pawn: "your pawn", token: "your token", piece: "a piece" };

/** What to do, and what somebody did with a square.
 * @type {Record<string, {task: (piece: string) => string, does: string}>} */
const VERBS = {
  move: { task: (piece) => `move ${piece}`, does: "moves" },
  place: { task: (piece) => `place ${piece}`, does: "places" },
  claim: { task: () => "claim a square", does: "claims" },
  block: { task: () => "block a square", does: "blocks" },
  steal: { task: () => "steal a square", does: "steals" },
  choose: { task: () => "choose where it goes", does: "chooses" },
  pass: { task: () => "pass", does: "passes" },
};

/** The verbs as one says that they can't be done with a square. @type {Record<string, string>} */
const FORBIDDEN = { block: "block", steal: "steal", claim: "claim" };

/** What to do next. @param {Choices} choices @param {boolean} isSecond whether the first square is chosen */
export function nextTask(choices, isSecond) {
  const verb = VERBS[(isSecond ? choices.next_verb : choices.verb) ?? ""];
  const task = verb?.task(PIECES[choices.piece ?? ""] ?? PIECES.piece) ?? "make a move";
  return isSecond ? `now ${task}` : task;
}

/** What can't be done with a square that isn't among the second ones. @param {Choices} choices */
export function forbiddenVerb(choices) {
  return FORBIDDEN[choices.next_verb ?? ""] ?? "choose";
}

/** What somebody did. @param {string} verb */
export function done(verb) {
  return VERBS[verb]?.does ?? "plays";
}
