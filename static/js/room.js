// The page of a room: wires the board and the panels to the server.
import { panels } from "./actions.js";
import { BoardView } from "./board/board.js";
import { cellName } from "./board/names.js";
import { watchConnection } from "./connection.js";
import { reasonWords } from "./endings.js";
import { Feed } from "./feed.js";
import { halfTurn, keepHalfTurn } from "./halfturn.js";
import { Lookback } from "./lookback.js";
import { forgetRoom, keepRoom } from "./ownrooms.js";
import { button, input, isShortcut, keepFocus, newId, onPress, onSend, part } from "./page.js";
import { ActionsPanel } from "./panels/actions.js";
import { ChatPanel } from "./panels/chat.js";
import { InvitePanel } from "./panels/invite.js";
import { MovesPanel } from "./panels/moves.js";
import { NoticesPanel } from "./panels/notices.js";
import { OutagePanel } from "./panels/outage.js";
import { PlayersPanel } from "./panels/players.js";
import { movesOf } from "./reducer.js";
import { Refusal, errorWords } from "./refusal.js";
import { isOn, isPlaying, playerName } from "./seats.js";
import { sound } from "./sound.js";
import { keepName, visitorName } from "./visitor.js";
import { Wire } from "./wire.js";
import { declinedWords, inviteWords, lastMoveWords, missWords, offerWords, pastWords, taskWords } from "./words.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */
/** @typedef {import("./commands.js").Commands} Commands */

const roomId = part("room").dataset.room ?? "";
const wire = new Wire();
let state = /** @type {Snapshot} */ (/** @type {unknown} */ (null)); // null until the server has told it
let heardAt = 0; // when the server told what the clocks show
let metAt = 0; // when it told who is there
/** @type {{at: string, cells: number[]} | null} */ let pending = null; // a move that has not been answered yet
let announced = ""; // the position that was last told in words

const back = new Lookback();
const board = new BoardView(part("board"), {
  onMove: (cells) => play(cells.map((cell) => cellName(state.board, cell)).join("/"), cells),
  onChange: () => {
    showTask();
    showZoom();
    if (state && back.viewed === null) keepHalfTurn(position(), board.chosen);
  },
  onMiss: (cell) => tell(cell === null || back.viewed !== null ? "" : missWords(state, board.chosen, cell)),
  onPoint: (cell) => (part("cell-name").textContent = cell === null ? "" : board.nameOf(cell)),
});
const players = new PlayersPanel();
const moves = new MovesPanel(go);
const notices = new NoticesPanel();
const invite = new InvitePanel();
const outage = new OutagePanel();
const buttons = new ActionsPanel(act);
const chat = new ChatPanel((text) => wire.ask("chat", { room: roomId, text }));
const feed = new Feed(wire, {
  onChange: (next, before, told) => {
    if (told?.event === "moved") tell("");
    become(next, before);
  },
  enter: () => void enter(),
  onRefusal: (refusal) => outage.hear(refusal),
});

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

/** The answer, or null if there is none: then it has been told why.
 * @template {keyof Commands} Name @param {Name} event @param {Commands[Name]} fields */
async function attempt(event, fields) {
  tell("");
  try {
    return await wire.ask(event, fields);
  } catch (error) {
    outage.hear(error);
    tell(errorWords(error));
    return null;
  }
}

/** In this game. @template {import("./panels/actions.js").InGame} Name
 * @param {Name} event @param {Omit<Commands[Name], "game">} fields */
function act(event, fields) {
  return attempt(event, /** @type {Commands[Name]} */ ({ game: state.game, ...fields }));
}

/** Send a move; whether it was made. @param {string} text @param {number[]} cells @param {(words: string) => void} [refuse] says why not */
async function play(text, cells, refuse = tell) {
  if (pending?.at === position()) return false;
  tell("");
  pending = { at: position(), cells };
  change(() => board.wait(cells));
  const fields = { game: state.game, ply: state.ply, move: text, id: newId() };
  try {
    await wire.insist("move", fields, (refusal) => outage.hear(refusal));
    return true;
  } catch (error) {
    pending = null;
    board.refuse();
    refuse(errorWords(error));
    if (error instanceof Refusal && error.snapshot) feed.hear({ event: "snapshot", payload: error.snapshot });
    return false;
  }
}

async function enter() {
  try {
    const { snapshot } = await wire.insist("enter", { room: roomId }, (refusal) => outage.hear(refusal));
    chat.fill(snapshot.chat);
    feed.adopt(snapshot);
  } catch (error) {
    part("task").textContent = errorWords(error);
  }
}

// Hearing from the server.

/** @param {Snapshot} next @param {Snapshot | null} before */
function become(next, before) {
  state = next;
  if (state.left !== before?.left) heardAt = performance.now();
  if (state.presence !== before?.presence) metAt = performance.now();
  if (before?.game !== state.game || String(before.you) !== String(state.you)) board.isFlipped = isTurned();
  back.follow(state);
  if (pending?.at !== position()) pending = null;
  if (before) {
    ring(before);
    const declined = declinedWords(before, state);
    if (declined) tell(declined);
  }
  outage.show(state, before);
  if (isPlaying(state) && !state.outcome) keepRoom(roomId, state.variant);
  else forgetRoom(roomId);
  const half = before ? [] : halfTurn(position()); // before showing the board forgets it
  change(show);
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

/** Change what is shown; the focus stays on the board, or on what is said below it. @param {() => void} show */
function change(show) {
  keepFocus(show, () => (isMine() ? board.focus() : part("task").focus({ preventScroll: true })));
}

watchConnection(wire, enter);
wire.on("chat", (line) => chat.add(line));

// Showing.

function isMine() {
  return back.viewed === null && isOn(state) && state.you.includes(state.to_move);
}

function show() {
  const live = { board: state.board, last: state.last, toMove: state.to_move };
  const frame = back.frame ?? live;
  board.show({
    ...frame,
    at: back.viewed === null ? position() : `${state.game} ${back.viewed}`,
    choices: frame === live ? state.choices : null,
    isMine: isMine(),
    pending: frame === live ? (pending?.cells ?? null) : null,
  });
  const isTurn = isOn(state) && state.you.includes(state.to_move);
  document.title = `${isTurn ? "Your turn · " : ""}${part("title").textContent} · Isolation`;
  showPlayers();
  moves.show(movesOf(state), back.viewed ?? state.ply);
  buttons.show(state, metAt);
  showPanels();
  notices.refresh();
  announce();
}

function showTask() {
  if (!state) return;
  const looks = { chosen: board.chosen, isPending: pending !== null, aimed: board.aimed };
  part("task").textContent = back.viewed === null ? taskWords(state, looks) : pastWords(state, back.viewed);
  button("live").hidden = back.viewed === null;
  button("undo").hidden = back.viewed !== null || !board.chosen.length;
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

function showPanels() {
  const { join, invite: canInvite, chat: hasChat, move, flip } = panels(state);
  part("join-panel").hidden = !join;
  part("join-words").textContent = inviteWords(state);
  invite.show(canInvite);
  chat.show(hasChat, isPlaying(state));
  part("move-form").hidden = !move || back.viewed !== null;
  button("flip").hidden = !flip;
}

function showZoom() {
  button("zoom").hidden = !board.isSmall && !board.isZoomed;
  button("zoom").setAttribute("aria-pressed", String(board.isZoomed));
}

// Looking back.

/** Look at the game after that many moves. @param {number} ply */
async function go(ply) {
  try {
    const isNow = await back.go(ply, (asked) => (moves.at = asked)); // so that a second press goes on from there
    if (isNow) change(show);
  } catch (error) {
    tell(errorWords(error));
  }
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
  change(() => board.back());
});
onPress("flip", () => {
  board.flip();
  showPlayers();
});
onPress("zoom", () => {
  board.zoom();
  showZoom();
});
document.addEventListener("keydown", (event) => {
  if (!isShortcut(event) || !state) return;
  if (event.key === "Escape" && back.viewed !== null) void go(state.ply);
  else if (event.key === "Escape") board.back();
  if (event.key === "f" && !button("flip").hidden) button("flip").click();
  if (event.key === "b") board.focus();
});
