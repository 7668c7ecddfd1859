// What is said about a game: pure, so that every sentence can be tested.
import { cellName } from "./board/geometry.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

/** A sentence: large at the beginning, a full stop at the end. @param {string} words */
export function sentence(words) {
  const text = words.trim();
  return text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}` : "";
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

/** What a player is called where both sides may be at one screen. @param {Snapshot} state @param {number} player */
export function playerName(state, player) {
  const { taken, name } = state.players[player];
  return state.kind === "local" || !taken ? `Player ${player + 1}` : name;
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
  if (state.you.includes(state.to_move)) return sentence(`Your turn: ${task}`);
  if (state.draw_offer !== null && state.you.includes(state.draw_offer)) return "You have offered a draw.";
  if (state.takeback_offer !== null && state.you.includes(state.takeback_offer)) {
    return "You have asked to take your move back.";
  }
  const who = state.players[state.to_move];
  return who.kind === "computer" ? `${who.name} is thinking …` : `${who.name} is to move.`;
}

/** The last move, told to those who do not see the board. @param {Snapshot} state */
export function lastMoveWords(state) {
  const moves = state.moves ? state.moves.split(" ") : [];
  if (!moves.length) return "";
  const mover = moves[moves.length - 1] === "pass" ? "" : moves[moves.length - 1].replace("/", ", blocking ").replace("-", " to ");
  return mover ? `${mover}.` : "Passed.";
}

/** Who sits there. @param {Snapshot} state @param {number} player */
export function aboutPlayer(state, player) {
  const { kind, taken, level_name: level } = state.players[player];
  if (kind === "computer") return level ?? "";
  if (!taken || state.kind === "local") return "";
  const words = state.you.includes(player) ? ["you"] : [];
  if (!state.presence.players[player]) words.push("away");
  return words.join(", ");
}
