// What is said about a game: pure, so that every sentence can be tested.
import { cellName } from "./board/names.js";
import { isPieceFirst } from "./board/selection.js";
import { resultWords } from "./endings.js";
import { playerName } from "./seats.js";
import { sentence } from "./sentence.js";
import { forbiddenVerb, nextTask } from "./tasks.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

/** What the next thing to do is, and who does it.
 * @param {Snapshot} state @param {{chosen: number[], isPending: boolean, aimed: number | null}} board */
export function taskWords(state, board) {
  if (state.outcome) return sentence(resultWords(state));
  if (!state.choices) return state.you.length ? "Waiting for your opponent." : "Waiting for a second player.";
  if (board.isPending) return "Sending your move …";
  if (board.aimed !== null) return `${cellName(state.board, board.aimed)}: tap again to choose it.`;
  const task = nextTask(state.choices, board.chosen.length > 0);
  if (state.you.length === 2) return sentence(`Player ${state.to_move + 1}: ${task}`);
  return `${turnWords(state, task)}${ownOfferWords(state)}`;
}

/** Why nothing happens when a square is clicked that can't be chosen; nothing for those who only watch.
 * @param {Snapshot | null} state @param {number[]} chosen @param {number} cell */
export function missWords(state, chosen, cell) {
  if (!state?.choices || !state.you.length) return "";
  const { board, choices, to_move: mover } = state;
  if (!state.you.includes(mover)) return `It's ${playerName(state, mover)}'s turn.`;
  const name = cellName(board, cell);
  if (board.pieces[1 - mover].includes(cell)) return `That's ${playerName(state, 1 - mover)}'s piece.`;
  if (isPieceFirst(choices) && chosen.length) return `That piece can't go to ${name}.`;
  if (isPieceFirst(choices)) return board.pieces[mover].includes(cell) ? "That piece can't move now." : "Choose one of your pieces first.";
  if (chosen.length) return `You can't ${forbiddenVerb(choices)} ${name}. Choose an open square.`;
  if (board.pieces[mover].includes(cell)) return "Choose a marked square to move to.";
  return `You can't choose ${name}. Choose a marked square.`;
}

/** Who invites somebody to the free seat. @param {Snapshot} state */
export function inviteWords(state) {
  const host = state.players.find((player) => player.taken);
  return host ? `${host.name} invites you to play` : "Play this game";
}

/** @param {Snapshot} state @param {string} task */
function turnWords(state, task) {
  if (state.you.includes(state.to_move)) return sentence(`Your turn: ${task}`);
  const name = playerName(state, state.to_move);
  return state.players[state.to_move].kind === "computer" ? `${name} is thinking …` : `${name}'s turn.`;
}

/** @param {Snapshot} state */
function ownOfferWords(state) {
  const isMine = (/** @type {number | null} */ by) => by !== null && state.you.includes(by);
  if (isMine(state.draw_offer)) return " You offered a draw.";
  return isMine(state.takeback_offer) ? " You asked for a takeback." : "";
}

/** What the other player asks for, or null. @param {Snapshot} state
 * @returns {{kind: "draw" | "takeback", words: string} | null} */
export function offerWords(state) {
  const { draw_offer: draw, takeback_offer: takeback, you } = state;
  const isOthers = (/** @type {number | null} */ by) => by !== null && you.length > 0 && !you.includes(by);
  if (draw !== null && isOthers(draw)) return { kind: "draw", words: `${playerName(state, draw)} offers a draw.` };
  if (takeback === null || !isOthers(takeback)) return null;
  const moves = takeback === state.to_move ? "the last two moves" : "the last move";
  return { kind: "takeback", words: `${playerName(state, takeback)} asks to take back ${moves}.` };
}

/** What the other player has just said no to, if anything. @param {Snapshot} before @param {Snapshot} state */
export function declinedWords(before, state) {
  if (before.game !== state.game || before.ply !== state.ply || state.outcome || state.you.length !== 1) return "";
  const isGone = (/** @type {"draw_offer" | "takeback_offer"} */ offer) => before[offer] === state.you[0] && state[offer] === null;
  const other = playerName(state, 1 - state.you[0]);
  if (isGone("draw_offer")) return `${other} declined the draw.`;
  return isGone("takeback_offer") ? `${other} declined the takeback.` : "";
}

/** What can be done about somebody who is gone. @param {Snapshot} state @param {number} player @param {number} left seconds */
export function goneWords(state, player, left) {
  const name = playerName(state, player);
  return left > 0
    ? `${name} left. If ${name} isn't back in ${left} s, you can claim the win.`
    : `${name} has been away for a while. You can claim the win, or keep waiting.`;
}

/** Where one is when looking back. @param {Snapshot} state @param {number} ply */
export function pastWords(state, ply) {
  const where = ply ? `Viewing move ${ply} of ${state.ply}.` : "Viewing the start.";
  if (state.outcome) return where;
  return state.you.includes(state.to_move) ? `${where} It's your turn.` : where;
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
