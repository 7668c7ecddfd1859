// The page of a room: wires the board and the panels to the server.
import { BoardView } from "./board/board.js";
import { cellName } from "./board/geometry.js";
import { watchConnection } from "./connection.js";
import { fetchHistory, positionsOf } from "./history.js";
import { halfTurn, keepHalfTurn } from "./halfturn.js";
import { forgetRoom, keepRoom } from "./ownrooms.js";
import { button, element, input, isShortcut, isSure, newId, onPress, onSend, part } from "./page.js";
import { ChatPanel } from "./panels/chat.js";
import { InvitePanel } from "./panels/invite.js";
import { MovesPanel } from "./panels/moves.js";
import { NoticesPanel } from "./panels/notices.js";
import { PlayersPanel } from "./panels/players.js";
import { afterMove, afterState, fits, movesOf, order } from "./reducer.js";
import { sound } from "./sound.js";
import { keepName, visitorName } from "./visitor.js";
import { Refusal } from "./refusal.js";
import { Wire } from "./wire.js";
import {
  declinedWords, errorWords, goneWords, inviteWords, lastMoveWords, missWords, offerWords, pastWords, playerName, reasonWords,
  rematchWords, resultWords, taskWords,
} from "./words.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

const roomId = part("room").dataset.room ?? "";
const wire = new Wire();
let state = /** @type {Snapshot} */ (/** @type {unknown} */ (null)); // null until the server has told it
let heardAt = 0; // when the server told what the clocks show
let metAt = 0; // when it told who is there
/** @type {{at: string, cells: number[]} | null} */ let pending = null; // a move that has not been answered yet
/** @type {number | null} */ let viewed = null; // the ply that is looked at, if it is not the latest
let wanted = 0; // the ply that was asked for last
/** @type {import("./history.js").History | null} */ let past = null;
let announced = ""; // the position that was last told in words

const board = new BoardView(part("board"), {
  onMove: (cells) => play(cells.map((cell) => cellName(state.board, cell)).join("/"), cells),
  onChange: () => {
    showTask();
    showZoom();
    if (state && viewed === null) keepHalfTurn(position(), board.chosen);
  },
  onMiss: (cell) => tell(cell === null || viewed !== null ? "" : missWords(state, board.chosen, cell)),
  onPoint: (cell) => (part("cell-name").textContent = cell === null ? "" : board.nameOf(cell)),
});
const players = new PlayersPanel();
const moves = new MovesPanel(go);
const notices = new NoticesPanel();
const invite = new InvitePanel();
const chat = new ChatPanel((text) => wire.ask("chat", { room: roomId, text }));

// Asking the server.

/** @param {string} words */
function tell(words) {
  part("refusal").textContent = words;
}

/** Say beside the field what's wrong with a typed move. @param {string} words */
function refuseText(words) {
  part("move-refusal").textContent = words;
  if (words) part("move-form").scrollIntoView({ block: "nearest" });
}

/** The answer, or null if there is none: then it has been told why. @param {string} event @param {object} fields */
async function attempt(event, fields) {
  tell("");
  try {
    return await wire.ask(event, fields);
  } catch (error) {
    tell(errorWords(error));
    return null;
  }
}

/** @param {string} event @param {object} fields */
function act(event, fields = {}) {
  return attempt(event, { game: state.game, ...fields });
}

/** Send a move; whether it was made. @param {string} text @param {number[]} cells @param {(words: string) => void} [refuse] says why not */
async function play(text, cells, refuse = tell) {
  if (pending?.at === position()) return false;
  tell("");
  pending = { at: position(), cells };
  keepFocus(() => board.wait(cells));
  const fields = { game: state.game, ply: state.ply, move: text, id: newId() };
  try {
    await wire.insist("move", fields);
    return true;
  } catch (error) {
    pending = null;
    board.refuse();
    refuse(errorWords(error));
    if (error instanceof Refusal && error.snapshot) hear(error.snapshot);
    return false;
  }
}

async function enter() {
  try {
    const { snapshot } = await wire.insist("enter", { room: roomId });
    chat.fill(snapshot.chat);
    become({ ...state, ...snapshot });
  } catch (error) {
    part("task").textContent = errorWords(error);
  }
}

// Hearing from the server.

/** A whole game, told to everybody. In a new one the sides are swapped: only the server knows who we are in it.
 * @param {Snapshot} snapshot */
function hear(snapshot) {
  if (state && snapshot.game === state.game) become({ ...state, ...snapshot });
  else void enter();
}

/** @param {Snapshot} next */
function become(next) {
  const before = state;
  state = next;
  if (state.left !== before?.left) heardAt = performance.now();
  if (state.presence !== before?.presence) metAt = performance.now();
  if (before?.game !== state.game || String(before.you) !== String(state.you)) {
    viewed = null;
    board.isFlipped = isTurned();
  }
  if (pending?.at !== position()) pending = null;
  if (viewed !== null && (viewed >= state.ply || !past?.knows(movesOf(state), viewed))) viewed = null;
  if (before) {
    ring(before);
    const declined = declinedWords(before, state);
    if (declined) tell(declined);
  }
  if (isPlaying() && !state.outcome) keepRoom(roomId, state.variant);
  else forgetRoom(roomId);
  const half = before ? [] : halfTurn(position()); // before showing the board forgets it
  keepFocus(show);
  if (half.length) board.resume(half);
}

/** Names the position that the game has come to. */
function position() {
  return `${state.game} ${state.moves}`;
}

/** Whether the board is turned so that this player sits below: where the start is at an edge. */
function isTurned() {
  return state.you.length === 1 && state.you[0] === 0 && state.board.view === "grid" && state.turns_board;
}

/** @param {Snapshot} before */
function ring(before) {
  if (before.game !== state.game) return;
  if (state.outcome && !before.outcome) return sound(state.you.some((one) => one === state.outcome?.winner) ? "won" : "over");
  if (state.ply > before.ply) return sound(state.board.blocked === before.board.blocked ? "step" : "block");
  if ((state.choices && !before.choices) || (offerWords(state) && !offerWords(before))) sound("join");
}

/** Hiding what has the focus would send it to the top of the page. @param {() => void} change */
function keepFocus(change) {
  const held = document.activeElement;
  change();
  if (!(held instanceof HTMLElement) || held === document.body) return;
  const now = document.activeElement;
  if (now !== held && now !== document.body) return;
  if (held.isConnected && held.offsetParent !== null && !held.matches(":disabled")) return;
  if (isMine()) board.focus();
  else part("task").focus({ preventScroll: true });
}

watchConnection(wire, enter);
wire.on("moved", (moved) => {
  const is = state && order(state, moved);
  if (is === "next") {
    tell("");
    become(afterMove(state, moved));
  } else if (is === "gap") void enter();
});
wire.on("state", (payload) => {
  if (!state || payload.v < state.v) return;
  if (fits(state, payload)) become(afterState(state, payload));
  else void enter();
});
wire.on("snapshot", hear);
wire.on("presence", (presence) => {
  if (state) become({ ...state, presence });
});
wire.on("rematch", (offer) => {
  if (state) become({ ...state, rematch_offer: offer.player });
});
wire.on("chat", (line) => chat.add(line));

// Showing.

function isOn() {
  return !state.outcome && state.choices !== null;
}

function isMine() {
  return viewed === null && isOn() && state.you.includes(state.to_move);
}

function isPlaying() {
  return state.you.length > 0;
}

function show() {
  const live = { board: state.board, last: state.last, toMove: state.to_move };
  const frame = (viewed !== null && past?.frames[viewed]) || live;
  board.show({
    ...frame,
    at: viewed === null ? position() : `${state.game} ${viewed}`,
    choices: frame === live ? state.choices : null,
    isMine: isMine(),
    pending: frame === live ? (pending?.cells ?? null) : null,
  });
  const isTurn = isOn() && state.you.includes(state.to_move);
  document.title = `${isTurn ? "Your turn · " : ""}${part("title").textContent} · Isolation`;
  showPlayers();
  moves.show(movesOf(state), viewed ?? state.ply);
  showResult();
  showOffer();
  showActions();
  notices.refresh();
  announce();
}

function showTask() {
  if (!state) return;
  const looks = { chosen: board.chosen, isPending: pending !== null, aimed: board.aimed };
  part("task").textContent = viewed === null ? taskWords(state, looks) : pastWords(state, viewed);
  button("live").hidden = viewed === null;
  button("undo").hidden = viewed !== null || !board.chosen.length;
}

/** Tell in words what has happened, to those who do not see the board. */
function announce() {
  const at = `${position()} ${state.outcome !== null} ${state.choices !== null}`;
  if (at === announced) return;
  announced = at;
  const mover = state.ply ? `${playerName(state, 1 - state.to_move)}: ${lastMoveWords(state)} ` : "";
  const ending = state.outcome ? ` ${reasonWords(state)}` : "";
  part("announce").textContent = mover + taskWords(state, { chosen: [], isPending: false, aimed: null }) + ending;
}

function showPlayers() {
  const seat = state.you.length === 1 ? state.you[0] : 1;
  players.show(state, board.isFlipped === isTurned() ? seat : 1 - seat, heardAt);
}

function showResult() {
  part("result").hidden = !state.outcome;
  part("result-words").textContent = resultWords(state);
  part("result-reason").textContent = reasonWords(state);
  button("rematch").hidden = !isPlaying() || state.kind === "contest" || state.players.some((player) => !player.taken);
  button("rematch").disabled = state.rematch_offer !== null && state.you.includes(state.rematch_offer);
  button("rematch").textContent = rematchWords(state);
  element("replay", HTMLAnchorElement).href = `/game/${state.game}`;
}

function showOffer() {
  const offer = offerWords(state);
  part("offer").hidden = !offer;
  part("offer-words").textContent = offer?.words ?? "";
  part("offer").dataset.kind = offer?.kind;
}

function showActions() {
  const isFree = state.players.some((player) => !player.taken);
  const mine = state.you.length === 2 ? 1 : state.you.includes(state.to_move) ? 2 : 1;
  const isActive = isOn() && isPlaying();
  const isContest = state.kind === "contest"; // in which the players only make moves
  button("takeback").hidden = !isActive || isContest || state.ply < mine;
  button("takeback").disabled = state.takeback_offer !== null;
  button("draw").hidden = !isActive || !state.has_draws || isContest || state.kind === "computer";
  button("draw").disabled = state.draw_offer !== null;
  button("resign").hidden = !isActive || state.ply < 2;
  button("abort").hidden = state.outcome !== null || !isPlaying() || state.ply >= 2;
  button("flip").hidden = state.board.view === "strip";
  showClaim();
  chat.show(state.kind === "friend" || (!isPlaying() && state.kind !== "local"), isPlaying());
  invite.show(isFree && isPlaying() && !state.outcome);
  part("join-panel").hidden = !isFree || isPlaying() || state.outcome !== null;
  part("join-words").textContent = inviteWords(state);
  part("move-form").hidden = !isActive || viewed !== null;
}

function showClaim() {
  const other = state.you.length === 1 ? 1 - state.you[0] : null;
  const wait = other === null ? null : state.presence.claim_in[other];
  part("gone").hidden = !isOn() || wait === null;
  if (other === null || wait === null) return;
  const left = Math.ceil(wait - (performance.now() - metAt) / 1000);
  part("gone-words").textContent = goneWords(state, other, left);
  button("claim").disabled = button("claim-draw").disabled = left > 0;
}
setInterval(() => state && showClaim(), 1000);

function showZoom() {
  button("zoom").hidden = !board.isSmall && !board.isZoomed;
  button("zoom").setAttribute("aria-pressed", String(board.isZoomed));
}

// Looking back.

/** Look at the game after that many moves. @param {number} ply */
async function go(ply) {
  if (!state) return;
  const asked = (wanted = Math.min(state.ply, Math.max(0, ply)));
  const { game } = state;
  try {
    if (asked < state.ply && !past?.knows(movesOf(state), asked)) {
      moves.at = asked; // so that a second press goes on from there
      const found = await fetchHistory(positionsOf(game));
      if (wanted !== asked || state.game !== game) return;
      past = found;
    }
  } catch (error) {
    return tell(errorWords(error));
  }
  viewed = asked < state.ply && past?.knows(movesOf(state), asked) ? asked : null;
  keepFocus(show);
}

// What people press.

input("name").value = visitorName();
onSend("join-form", async () => {
  const { value } = input("name");
  let words = "";
  try {
    await wire.ask("rename", { name: value });
    keepName(value);
    await wire.ask("join", { room: roomId });
  } catch (error) {
    words = errorWords(error);
  }
  await enter();
  const isFree = !part("join-panel").hidden; // or somebody else has taken the seat
  part("join-refusal").textContent = isFree ? words : "";
  if (!isFree) tell(words);
});
onSend("move-form", async () => {
  const field = input("move-text");
  const { value } = field;
  refuseText("");
  if (!value.trim()) return;
  field.value = "";
  if (!(await play(value, [], refuseText)) && !field.value) {
    field.value = value;
    field.select();
  }
});
input("move-text").addEventListener("input", () => refuseText(""));
onPress("live", () => void go(state.ply));
onPress("undo", () => {
  tell("");
  keepFocus(() => board.back());
});
onPress("flip", () => {
  board.flip();
  showPlayers();
});
onPress("zoom", () => {
  board.zoom();
  showZoom();
});
onPress("takeback", () => void act("takeback", { action: "propose" }));
onPress("draw", async () => {
  const words = state.kind === "local" ? "Agree on a draw?" : "Offer a draw?";
  if (await isSure(words)) await act("draw", { action: "offer" });
});
onPress("resign", async () => {
  if (await isSure("Resign this game?")) await act("resign");
});
onPress("abort", async () => {
  if (await isSure("Abort this game?")) await act("abort");
});
onPress("claim", () => void act("claim", { result: "win" }));
onPress("claim-draw", () => void act("claim", { result: "draw" }));
onPress("rematch", () => void act("rematch"));
onPress("accept", () => void act(part("offer").dataset.kind ?? "", { action: "accept" }));
onPress("decline", () => void act(part("offer").dataset.kind ?? "", { action: "decline" }));
document.addEventListener("keydown", (event) => {
  if (!isShortcut(event) || !state) return;
  if (event.key === "Escape" && viewed !== null) void go(state.ply);
  else if (event.key === "Escape") board.back();
  if (event.key === "f" && !button("flip").hidden) button("flip").click();
  if (event.key === "b") board.focus();
});
