// The page of a room: wires the board and the panels to the server.
import { BoardView } from "./board/board.js";
import { cellName } from "./board/geometry.js";
import { watchConnection } from "./connection.js";
import { fetchHistory } from "./history.js";
import { button, element, input, isSure, isTyping, newId, onPress, onSend, part } from "./page.js";
import { ChatPanel } from "./panels/chat.js";
import { InvitePanel } from "./panels/invite.js";
import { MovesPanel } from "./panels/moves.js";
import { PlayersPanel } from "./panels/players.js";
import { afterMove, afterState, order } from "./reducer.js";
import { sound } from "./sound.js";
import { keepName, visitorName } from "./visitor.js";
import { Refusal, Wire } from "./wire.js";
import { lastMoveWords, playerName, reasonWords, resultWords, sentence, taskWords } from "./words.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

const roomId = part("room").dataset.room;
const wire = new Wire(visitorName());
let state = /** @type {Snapshot} */ (/** @type {unknown} */ (null)); // null until the server has told it
let heardAt = 0; // when the server told what the clocks show
let metAt = 0; // when it told who is there
/** @type {number | null} */ let viewed = null; // the ply that is looked at, if it is not the latest
/** @type {import("./history.js").History | null} */ let past = null;
let announced = ""; // the position that was last told in words

const board = new BoardView(part("board"), {
  onMove: (cells) => play(cells.map((cell) => cellName(state.board, cell)).join("/"), cells),
  onChange: showTask,
  onPoint: (cell) => (part("cell-name").textContent = cell === null ? "" : board.nameOf(cell)),
});
const players = new PlayersPanel();
const moves = new MovesPanel(go);
const invite = new InvitePanel();
const chat = new ChatPanel(async (text) => (await attempt("chat", { room: roomId, text })) !== null);

// Asking the server.

/** @param {unknown} error */
function tell(error) {
  part("refusal").textContent = error instanceof Error ? sentence(error.message) : "";
}

/** The answer, or null if there is none: then it has been told why. @param {string} event @param {object} fields */
async function attempt(event, fields) {
  tell(null);
  try {
    return await wire.ask(event, fields);
  } catch (error) {
    tell(error);
    return null;
  }
}

/** @param {string} event @param {object} fields */
function act(event, fields = {}) {
  return attempt(event, { game: state.game, ...fields });
}

/** @param {string} text @param {number[]} cells */
async function play(text, cells) {
  tell(null);
  board.wait(cells);
  const fields = { game: state.game, ply: state.ply, move: text, id: newId() };
  try {
    await wire.insist("move", fields);
  } catch (error) {
    board.refuse();
    tell(error);
    if (error instanceof Refusal && error.snapshot) take({ ...error.snapshot, you: state.you });
  }
}

async function enter() {
  try {
    const { snapshot } = await wire.ask("enter", { room: roomId });
    chat.fill(snapshot.chat);
    take(snapshot);
  } catch (error) {
    if (error instanceof Refusal) part("task").textContent = sentence(error.message);
  }
}

// Hearing from the server.

/** The whole game, as the server tells it. @param {Snapshot} snapshot */
function take(snapshot) {
  become({ ...state, ...snapshot });
}

/** @param {any} next */
function become(next) {
  const before = state;
  state = next;
  if (state.left !== before?.left) heardAt = performance.now();
  if (state.presence !== before?.presence) metAt = performance.now();
  if (before?.game !== state.game || String(before.you) !== String(state.you)) {
    viewed = null;
    board.isFlipped = isTurned();
  }
  if (viewed !== null && viewed >= state.ply) viewed = null;
  ring(before);
  keepFocus(show);
}

/** Whether the board is turned so that this player sits below: where the start is at an edge. */
function isTurned() {
  return state.you.length === 1 && state.you[0] === 0 && state.board.view === "grid" && state.turns_board;
}

/** @param {any} before */
function ring(before) {
  if (!before || before.game !== state.game) return;
  if (state.outcome && !before.outcome) return sound(state.you.some((one) => one === state.outcome?.winner) ? "won" : "over");
  if (state.ply > before.ply) return sound(state.board.blocked === before.board.blocked ? "step" : "block");
  if (state.choices && !before.choices) sound("join");
}

/** Hiding what has the focus would send it to the top of the page. @param {() => void} change */
function keepFocus(change) {
  const held = document.activeElement;
  change();
  if (!(held instanceof HTMLElement) || held === document.body || held.offsetParent !== null) return;
  if (isMine()) board.focus();
  else part("task").focus({ preventScroll: true });
}

watchConnection(wire, enter);
wire.on("moved", (moved) => {
  const is = state && order(state, moved);
  if (is === "next") {
    tell(null);
    become(afterMove(state, moved));
  } else if (is === "gap") void enter();
});
wire.on("state", (payload) => {
  if (!state) return;
  if (payload.game !== state.game || payload.v > state.v + 2) return void enter();
  if (payload.v >= state.v) become(afterState(state, payload));
});
wire.on("snapshot", (snapshot) => {
  // In a new game the sides are swapped: only the server knows who we are in it.
  if (state && snapshot.game === state.game) take({ ...snapshot, you: state.you });
  else void enter();
});
wire.on("presence", (presence) => {
  if (state) become({ ...state, presence });
});
wire.on("rematch", (offer) => {
  if (state) become({ ...state, rematch_offer: offer.player });
});
wire.on("chat", (line) => chat.add(line));

// Showing.

function isMine() {
  return viewed === null && !state.outcome && state.choices !== null && state.you.includes(state.to_move);
}

function isPlaying() {
  return state.you.length > 0;
}

function show() {
  if (viewed !== null && past) {
    const frame = past.frames[viewed];
    board.show({ at: `${state.game} ${viewed}`, board: frame.board, choices: null, toMove: frame.toMove, last: frame.last, isMine: false });
  } else {
    board.show({ at: `${state.game} ${state.ply}`, board: state.board, choices: state.choices, toMove: state.to_move, last: state.last, isMine: isMine() });
  }
  const title = state.variant[0].toUpperCase() + state.variant.slice(1);
  document.title = `${isMine() ? "Your turn · " : ""}${title} · Isolation`;
  part("title").textContent = title;
  showPlayers();
  moves.show(state.moves ? state.moves.split(" ") : [], viewed ?? state.ply);
  showPast();
  showResult();
  showOffer();
  showActions();
  announce();
}

function showTask() {
  if (viewed !== null) part("task").textContent = "Looking back.";
  else if (state) part("task").textContent = taskWords(state, { chosen: board.chosen, isPending: board.pending !== null, aimed: board.aimed });
}

/** Tell in words what has happened, to those who do not see the board. */
function announce() {
  const at = `${state.game} ${state.ply} ${state.outcome !== null} ${state.choices !== null}`;
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

function showPast() {
  part("past").hidden = viewed === null;
  if (viewed !== null) part("past-words").textContent = viewed ? `After move ${viewed} of ${state.ply}.` : "The beginning.";
}

function showResult() {
  part("result").hidden = !state.outcome;
  if (!state.outcome) return;
  part("result-words").textContent = resultWords(state);
  part("result-reason").textContent = reasonWords(state);
  const offer = state.rematch_offer;
  button("rematch").hidden = !isPlaying();
  button("rematch").textContent = offer === null ? "Rematch" : state.you.includes(offer) ? "Rematch offered …" : "Accept rematch";
  element("replay", HTMLAnchorElement).href = `/game/${state.game}`;
}

function showOffer() {
  const offers = { draw: state.draw_offer, takeback: state.takeback_offer };
  const open = Object.entries(offers).find(([, by]) => by !== null && isPlaying() && !state.you.includes(by));
  part("offer").hidden = !open;
  if (!open) return;
  const words = { draw: "offers a draw", takeback: "would like to take a move back" };
  const kind = /** @type {keyof typeof words} */ (open[0]);
  part("offer-words").textContent = `${playerName(state, Number(open[1]))} ${words[kind]}.`;
  part("offer").dataset.kind = kind;
}

function showActions() {
  const isOn = state.choices !== null && !state.outcome;
  const isFree = state.players.some((/** @type {any} */ player) => !player.taken);
  const mine = state.you.length === 2 ? 1 : state.you.includes(state.to_move) ? 2 : 1;
  button("takeback").hidden = !isOn || !isPlaying() || state.ply < mine;
  button("takeback").disabled = state.takeback_offer !== null;
  button("draw").hidden = !isOn || !isPlaying() || !state.has_draws || state.kind === "computer";
  button("draw").disabled = state.draw_offer !== null;
  button("resign").hidden = !isOn || !isPlaying() || state.ply < 2;
  button("abort").hidden = state.outcome !== null || !isPlaying() || state.ply >= 2;
  button("flip").hidden = state.board.view === "strip";
  showZoom();
  showClaim(isOn);
  chat.show(state.kind === "friend" || (!isPlaying() && state.kind !== "local"), isPlaying());
  invite.show(isFree && isPlaying() && !state.outcome);
  part("join-panel").hidden = !isFree || isPlaying() || state.outcome !== null;
  part("move-form").hidden = !isMine();
}

/** @param {boolean} isOn */
function showClaim(isOn) {
  const other = state.you.length === 1 ? 1 - state.you[0] : null;
  const wait = other === null ? null : state.presence.claim_in[other];
  const left = wait === null ? 0 : Math.ceil(wait - (performance.now() - metAt) / 1000);
  part("gone").hidden = !isOn || wait === null;
  if (part("gone").hidden) return;
  const name = playerName(state, Number(other));
  part("gone-words").textContent = left > 0
    ? `${name} has left. If nobody comes back in ${left} s, you can claim the game.`
    : `${name} has been gone for long. You can claim the game, or go on waiting.`;
  button("claim").disabled = button("claim-draw").disabled = left > 0;
}
setInterval(() => state && showClaim(state.choices !== null && !state.outcome), 1000);

function showZoom() {
  const isZoomed = part("frame").classList.contains("is-zoomed");
  button("zoom").hidden = !board.isSmall && !isZoomed;
  button("zoom").setAttribute("aria-pressed", String(isZoomed));
}

// Looking back.

/** Look at the game after that many moves. @param {number} ply */
async function go(ply) {
  const wanted = Math.min(state.ply, Math.max(0, ply));
  try {
    const list = state.moves ? state.moves.split(" ") : [];
    if (wanted < state.ply && !past?.isOf(list)) past = await fetchHistory(state.game);
  } catch (error) {
    return tell(error);
  }
  viewed = wanted < state.ply && past && wanted < past.frames.length ? wanted : null;
  keepFocus(show);
}

// What people press.

input("name").value = visitorName();
onSend("join-form", async () => {
  keepName(input("name").value);
  if (await attempt("rename", { name: visitorName() })) await attempt("join", { room: roomId });
  void enter();
});
onSend("move-form", () => {
  const field = input("move-text");
  if (!field.value.trim()) return;
  void play(field.value, []);
  field.value = "";
});
onPress("live", () => void go(state.ply));
onPress("flip", () => {
  board.flip();
  showPlayers();
});
onPress("zoom", () => {
  const frame = part("frame");
  frame.classList.toggle("is-zoomed");
  showZoom();
  const own = state.board.pieces[isPlaying() ? state.you[0] : state.to_move][0] ?? 0;
  board.cells.elements[own]?.scrollIntoView({ block: "nearest", inline: "center" });
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
  if (await isSure("Call this game off?")) await act("abort");
});
onPress("claim", () => void act("claim", { result: "win" }));
onPress("claim-draw", () => void act("claim", { result: "draw" }));
onPress("rematch", () => void act("rematch"));
onPress("accept", () => void act(part("offer").dataset.kind ?? "", { action: "accept" }));
onPress("decline", () => void act(part("offer").dataset.kind ?? "", { action: "decline" }));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !state) return;
  if (event.key === "Escape") board.back();
  if (event.key === "f" && !button("flip").hidden) button("flip").click();
  if (event.key === "b") board.focus();
});
