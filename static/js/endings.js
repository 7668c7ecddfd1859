// How games end, in words. The server sends codes; every sentence about them is made here.
import { isMe, playerName } from "./seats.js";
import { sentence } from "./sentence.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** @typedef {import("./protocol.js").Outcome} Outcome */
/** A player as a sentence needs them. @typedef {{name: string, isYou: boolean, isProgram: boolean}} Person */

/** Why a game ended, of the player the reason is about. @type {Record<string, (who: Person, outcome: Outcome) => string>} */
const REASONS = {
  no_moves: (who) => (who.isYou ? "You have no moves left" : `${who.name} has no moves left`),
  all_off: (who) => (who.isYou ? "You brought all your pieces off the board" : `${who.name} brought all pieces off the board`),
  two_passes: () => "Both players had to pass",
  repetition: () => "The same position came up three times",
  discards: (who) => `${subject(who)} made four invalid turns in a row`,
  resigned: (who) => `${subject(who)} resigned`,
  time: (who) => `${subject(who)} ran out of time`,
  left: (who) => `${subject(who)} left the game`,
  fault: (who, outcome) => `${botOf(who)} ${faultWords(outcome)}`,
  agreed: () => "Draw agreed",
  aborted: () => "", // the result says it all
  abandoned: (who) => `${subject(who)} didn't move for a long time`,
  unstated: () => "",
  other: (_, outcome) => outcome.detail,
};

/** @param {Person} who */
const subject = (who) => (who.isYou ? "You" : who.name);

/** A bot that sits at the board itself has a name of its own. @param {Person} who */
function botOf(who) {
  if (who.isYou) return "Your bot";
  return who.isProgram ? who.name : `${who.name}'s bot`;
}

/** What a bot did that ended its game. @param {{detail: string}} outcome */
export function faultWords({ detail }) {
  return `made a fault${detail ? `: ${detail}` : ""}`;
}

/** @param {Outcome} outcome @param {(player: number) => Person} person */
function reason(outcome, person) {
  const words = REASONS[outcome.reason];
  const player = aboutWhom(outcome);
  return words ? words(player === null ? NOBODY : person(player), outcome) : (outcome.message ?? "");
}

const NOBODY = { name: "A player", isYou: false, isProgram: false };

/** Whom the reason is about. @param {Outcome} outcome */
export function aboutWhom({ player, winner, reason: code }) {
  if (player !== null && player !== undefined) return player;
  if (winner === null) return null;
  return code === "all_off" ? winner : 1 - winner;
}

/** @param {Outcome} outcome @param {(player: number) => string} name */
function result({ winner, aborted }, name) {
  if (aborted) return "Game aborted";
  return winner === null ? "A draw" : `${name(winner)} wins`;
}

/** Who won, as the reader sees it. @param {Snapshot} state */
export function resultWords(state) {
  const { outcome } = state;
  if (!outcome) return "";
  if (!outcome.aborted && outcome.winner !== null && state.you.length === 1) {
    return state.you.includes(outcome.winner) ? "You won!" : "You lost";
  }
  return result(outcome, (player) => playerName(state, player));
}

/** Why a game ended, as the reader sees it. @param {Snapshot} state */
export function reasonWords(state) {
  const { outcome } = state;
  if (!outcome || outcome.aborted) return "";
  return sentence(reason(outcome, (player) => ({
    name: playerName(state, player),
    isYou: isMe(state, player),
    isProgram: state.players[player].bot || state.players[player].kind === "computer",
  })));
}

/** Who won, for somebody who only looks on. @param {Outcome} outcome @param {string[]} names */
export function plainResult(outcome, names) {
  return result(outcome, (player) => names[player]);
}

/** Who won and why, for somebody who only looks on. @param {Outcome} outcome @param {string[]} names */
export function plainEnding(outcome, names) {
  const why = reason(outcome, (player) => ({ name: names[player], isYou: false, isProgram: true }));
  return `${sentence(plainResult(outcome, names))} ${sentence(why)}`.trim();
}
