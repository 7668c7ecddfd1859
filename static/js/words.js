// What is said about a game: pure, so that every sentence can be tested.
import { cellName } from "./board/geometry.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

const SQUARE = /^[a-z]{1,2}\d/; // begins a sentence as it is written

/** A sentence: large at the beginning, a full stop at the end. @param {string} words */
export function sentence(words) {
  const text = words.trim();
  if (!text) return "";
  const begun = SQUARE.test(text) ? text : text[0].toUpperCase() + text.slice(1);
  return begun + (/[.!?…]$/.test(text) ? "" : ".");
}

/** What went wrong, as a sentence. @param {unknown} error */
export function errorWords(error) {
  return error instanceof Error ? sentence(error.message) : "";
}

/** @param {number} seconds */
export function clockText(seconds) {
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
  const whole = Math.max(0, seconds);
  if (whole < 20) return whole.toFixed(1);
  const [minutes, rest] = [Math.floor(whole / 60), Math.floor(whole % 60)];
  const hours = Math.floor(minutes / 60);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** What a player is called; at one screen both have numbers only. @param {Snapshot} state @param {number} player */
export function playerName(state, player) {
  const { taken, name } = state.players[player];
  return state.kind === "local" || !taken ? `Player ${player + 1}` : name;
}

/** Which player that is: where pieces have letters, with the letter. @param {string[]} symbols @param {number} player */
export function sideWords(symbols, player) {
  return /^\d$/.test(symbols[player]) ? `Player ${player + 1}` : `Player ${player + 1}, ${symbols[player]}`;
}

/** @param {Snapshot} state */
export function resultWords(state) {
  if (!state.outcome) return "";
  const { winner, aborted } = state.outcome;
  if (aborted) return "The game was called off";
  if (winner === null) return "A draw";
  if (state.you.length === 1) return state.you.includes(winner) ? "You have won" : "You have lost";
  return `${playerName(state, winner)} has won`;
}

/** Why a game ended. @param {Snapshot} state */
export function reasonWords(state) {
  if (!state.outcome || state.outcome.aborted) return "";
  const { reason, winner } = state.outcome;
  const isMe = (/** @type {number} */ player) => state.you.length === 1 && state.you[0] === player;
  const who = (/** @type {number} */ player) => (isMe(player) ? "you" : playerName(state, player));
  if (reason === "no move left" && winner !== null) {
    return sentence(`${who(1 - winner)} ${isMe(1 - winner) ? "have" : "has"} no move left`);
  }
  if (reason === "all pieces off the board" && winner !== null) {
    return sentence(`${who(winner)} brought all pieces off the board`);
  }
  return sentence(reason.replace(/Player ([12])/, (_, number) => who(Number(number) - 1)));
}

/** What the next thing to do is, and who does it.
 * @param {Snapshot} state @param {{chosen: number[], isPending: boolean, aimed: number | null}} board */
export function taskWords(state, board) {
  if (state.outcome) return sentence(resultWords(state));
  if (!state.choices) return "Waiting for an opponent.";
  if (board.isPending) return "Sending your move …";
  if (board.aimed !== null) return `${cellName(state.board, board.aimed)}: tap again to choose it.`;
  const task = board.chosen.length ? `now ${state.choices.next_task}` : state.choices.task;
  if (state.you.length === 2) return sentence(`Player ${state.to_move + 1}: ${task}`);
  return `${turnWords(state, task)}${ownOfferWords(state)}`;
}

/** @param {Snapshot} state @param {string} task */
function turnWords(state, task) {
  if (state.you.includes(state.to_move)) return sentence(`Your turn: ${task}`);
  const name = playerName(state, state.to_move);
  return state.players[state.to_move].kind === "computer" ? `${name} is thinking …` : `${name} is to move.`;
}

/** @param {Snapshot} state */
function ownOfferWords(state) {
  const isMine = (/** @type {number | null} */ by) => by !== null && state.you.includes(by);
  if (isMine(state.draw_offer)) return " You have offered a draw.";
  return isMine(state.takeback_offer) ? " You have asked to take a move back." : "";
}

/** What the other player asks for, or null. @param {Snapshot} state
 * @returns {{kind: "draw" | "takeback", words: string} | null} */
export function offerWords(state) {
  const { draw_offer: draw, takeback_offer: takeback, you } = state;
  const isOthers = (/** @type {number | null} */ by) => by !== null && you.length > 0 && !you.includes(by);
  if (draw !== null && isOthers(draw)) return { kind: "draw", words: `${playerName(state, draw)} offers a draw.` };
  if (takeback === null || !isOthers(takeback)) return null;
  const moves = takeback === state.to_move ? "the last two moves" : "the last move";
  return { kind: "takeback", words: `${playerName(state, takeback)} would like to take ${moves} back.` };
}

/** What the other player has just said no to, if anything. @param {Snapshot} before @param {Snapshot} state */
export function declinedWords(before, state) {
  if (before.game !== state.game || before.ply !== state.ply || state.outcome || state.you.length !== 1) return "";
  const isGone = (/** @type {"draw_offer" | "takeback_offer"} */ offer) => before[offer] === state.you[0] && state[offer] === null;
  const other = playerName(state, 1 - state.you[0]);
  if (isGone("draw_offer")) return `${other} declines the draw.`;
  return isGone("takeback_offer") ? `${other} would rather go on.` : "";
}

/** What can be done about somebody who is gone. @param {Snapshot} state @param {number} player @param {number} left seconds */
export function goneWords(state, player, left) {
  const name = playerName(state, player);
  return left > 0
    ? `${name} has left. If nobody comes back in ${left} s, you can claim the game.`
    : `${name} has been gone for long. You can claim the game, or go on waiting.`;
}

/** Where one is when looking back. @param {Snapshot} state @param {number} ply */
export function pastWords(state, ply) {
  const where = ply ? `After move ${ply} of ${state.ply}.` : "The beginning.";
  if (state.outcome) return where;
  return state.you.includes(state.to_move) ? `${where} It is your turn in the game.` : where;
}

/** What the button for another game says. @param {Snapshot} state */
export function rematchWords(state) {
  if (state.rematch_offer === null) return "Rematch";
  return state.you.includes(state.rematch_offer) ? "Rematch offered …" : "Accept rematch";
}

/** The last move, told to those who do not see the board. @param {Snapshot} state */
export function lastMoveWords(state) {
  const move = state.moves.split(" ").pop();
  if (!move) return "";
  if (move === "pass") return "Passed.";
  return `${move.replace("/", ", taking away ").replace("-", " to ")}.`;
}

/** Who sits there. @param {Snapshot} state @param {number} player */
export function aboutPlayer(state, player) {
  const { kind, taken, bot, level_name: level } = state.players[player];
  if (kind === "computer") return level ?? "";
  if (!taken || state.kind === "local") return "";
  const words = [state.you.includes(player) ? "you" : "", bot ? "bot" : ""].filter(Boolean);
  if (!state.presence.players[player]) words.push("away");
  return words.join(", ");
}
