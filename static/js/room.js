// The page of a room: the board, the players, the moves, the talk.
import { BoardView } from "./board/board.js";
import { cellName } from "./board/geometry.js";
import { clockText, element, make, newId, sentence } from "./page.js";
import { afterMove, afterState, order } from "./reducer.js";
import { keepName, visitorName } from "./visitor.js";
import { Refusal, Wire } from "./wire.js";

const roomId = element("room").dataset.room;
const wire = new Wire(visitorName());
/** @type {any} */ let state = null;
let heardAt = 0;

const board = new BoardView(element("board"), {
  onMove: (cells) => play(cells.map((cell) => cellName(state.board, cell)).join("/"), cells),
  onChange: showTask,
});

/** @param {unknown} error */
function tell(error) {
  element("refusal").textContent = error instanceof Error ? sentence(error.message) : "";
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

/** @param {string} event @param {object} fields */
async function act(event, fields = {}) {
  tell(null);
  try {
    await wire.ask(event, { game: state.game, ...fields });
  } catch (error) {
    tell(error);
  }
}

async function enter() {
  try {
    const { snapshot } = await wire.ask("enter", { room: roomId });
    element("chat").replaceChildren();
    snapshot.chat.forEach(say);
    take(snapshot);
  } catch (error) {
    if (!(error instanceof Refusal)) return;
    element("task").textContent = sentence(error.message);
  }
}

/** The whole game, as the server tells it. @param {any} snapshot */
function take(snapshot) {
  const isOther = state === null || snapshot.game !== state.game || String(snapshot.you) !== String(state.you);
  state = { ...state, ...snapshot };
  heardAt = performance.now();
  if (isOther) board.isFlipped = turned();
  show();
}

/** Whether the board is turned so that this player sits below: where the start is at an edge. */
function turned() {
  return state.you.length === 1 && state.you[0] === 0 && state.board.view === "grid" && state.turns_board;
}

wire.onPresence((isThere) => {
  element("connection").hidden = isThere;
  if (isThere) enter();
});
wire.on("moved", (moved) => {
  const is = state && order(state, moved);
  if (is === "next") {
    tell(null);
    state = afterMove(state, moved);
    heardAt = performance.now();
    show();
  } else if (is === "gap") enter();
});
wire.on("state", (payload) => {
  if (!state) return;
  if (payload.game !== state.game || payload.v > state.v + 2) return void enter();
  if (payload.v < state.v) return;
  state = afterState(state, payload);
  heardAt = performance.now();
  show();
});
wire.on("snapshot", (snapshot) => {
  // In a new game the sides are swapped: only the server knows who we are in it.
  if (state && snapshot.game === state.game) take({ ...snapshot, you: state.you });
  else enter();
});
wire.on("presence", (presence) => {
  if (!state) return;
  state = { ...state, presence };
  showPlayers();
  showActions();
});
wire.on("rematch", (offer) => {
  if (!state) return;
  state = { ...state, rematch_offer: offer.player };
  showResult();
});
wire.on("chat", say);

/** @param {{name: string, text: string, player: number | null}} line */
function say(line) {
  const item = make("li");
  item.append(make("b", line.player === null ? "" : `is-${line.player}`, line.name), ` ${line.text}`);
  const list = element("chat");
  list.append(item);
  list.scrollTop = list.scrollHeight;
}

function show() {
  const isMine = !state.outcome && state.you.includes(state.to_move) && state.choices !== null;
  const at = `${state.game} ${state.ply}`;
  board.show({ at, board: state.board, choices: state.choices, toMove: state.to_move, last: state.last, isMine });
  document.title = `${title()} · Isolation`;
  element("title").textContent = title();
  showPlayers();
  showMoves();
  showResult();
  showOffer();
  showActions();
}

function title() {
  return state.variant[0].toUpperCase() + state.variant.slice(1);
}

function isPlaying() {
  return state.you.length > 0;
}

function showTask() {
  if (!state) return;
  element("task").textContent = taskWords();
}

function taskWords() {
  if (state.outcome) return resultWords();
  if (!state.choices) return "Waiting for an opponent.";
  const who = state.players[state.to_move];
  const task = board.chosen.length ? `now ${state.choices.next_task}` : state.choices.task;
  if (board.pending) return "Sending your move …";
  if (board.aimed !== null) return `${cellName(state.board, board.aimed)}: tap again to choose it.`;
  const moves = state.moves.split(" ");
  const last = state.moves && !board.chosen.length ? `${moves[moves.length - 1]} was played. ` : "";
  if (state.you.length === 2) return `${last}Player ${state.to_move + 1}: ${task}.`;
  if (state.you.includes(state.to_move)) return `${last}Your turn: ${task}.`;
  if (state.draw_offer !== null && state.you.includes(state.draw_offer)) return "You have offered a draw.";
  if (state.takeback_offer !== null && state.you.includes(state.takeback_offer)) return "You have asked to take your move back.";
  return who.kind === "computer" ? `${who.name} is thinking …` : `${who.name} is to move.`;
}

function resultWords() {
  const { winner, aborted } = state.outcome;
  if (aborted) return "The game was aborted.";
  if (winner === null) return "The game is a tie.";
  if (state.you.length === 1) return state.you.includes(winner) ? "You have won." : "You have lost.";
  return state.kind === "local" ? `Player ${winner + 1} has won.` : `${state.players[winner].name} (Player ${winner + 1}) has won.`;
}

function showPlayers() {
  const seat = state.you.length === 1 ? state.you[0] : 1;
  const bottom = board.isFlipped === turned() ? seat : 1 - seat;
  showPlayer(element("player-bottom"), bottom);
  showPlayer(element("player-top"), 1 - bottom);
  const count = state.presence.watchers;
  element("watchers").textContent = count ? `${count} watching` : "";
}

/** @param {HTMLElement} card @param {number} number */
function showPlayer(card, number) {
  const player = state.players[number];
  const isThere = player.kind === "computer" || (player.taken && state.presence.players[number]);
  const own = state.kind === "local" ? `Player ${number + 1}` : player.name;
  const name = player.taken ? own : "Waiting for somebody …";
  const token = make("span", `token token-${number}`, state.board.symbols[number]);
  const words = make("span", "player-name", name);
  const about = make("span", "player-about", about_(player, number, isThere));
  const clock = make("span", "clock", "");
  clock.dataset.player = String(number);
  clock.hidden = !state.left;
  card.replaceChildren(token, words, about, make("span", "score", String(state.score[number])), clock);
  card.classList.toggle("is-to-move", !state.outcome && state.choices !== null && state.to_move === number);
  tick();
}

/** @param {any} player @param {number} number @param {boolean} isThere */
function about_(player, number, isThere) {
  if (player.kind === "computer") return `computer, level ${player.level}`;
  if (!player.taken) return "";
  if (state.kind === "local") return "";
  const me = state.you.includes(number) ? "you" : "";
  return isThere ? me : `${me ? "you, " : ""}away`;
}

function tick() {
  if (!state?.left) return;
  for (const clock of document.querySelectorAll(".clock")) {
    if (!(clock instanceof HTMLElement)) continue;
    const number = Number(clock.dataset.player);
    const runs = state.running && !state.outcome && state.to_move === number;
    const left = state.left[number] - (runs ? (performance.now() - heardAt) / 1000 : 0);
    clock.textContent = clockText(left);
    clock.classList.toggle("is-running", runs);
    clock.classList.toggle("is-low", left < 20);
  }
}
setInterval(tick, 100);

function showMoves() {
  const moves = state.moves ? state.moves.split(" ") : [];
  const list = element("moves");
  while (list.children.length > moves.length) list.lastChild.remove();
  moves.forEach((/** @type {string} */ move, /** @type {number} */ at) => {
    if (list.children[at]?.textContent !== move) {
      if (list.children[at]) list.children[at].textContent = move;
      else list.append(make("li", "", move));
    }
  });
  list.scrollTop = list.scrollHeight;
}

function showResult() {
  element("result").hidden = !state.outcome;
  if (!state.outcome) return;
  element("result-words").textContent = resultWords();
  element("result-reason").textContent = state.outcome.aborted ? "" : sentence(state.outcome.reason);
  const rematch = element("rematch");
  rematch.hidden = !isPlaying();
  const offer = state.rematch_offer;
  rematch.textContent = offer === null ? "Rematch" : state.you.includes(offer) ? "Rematch offered …" : "Accept rematch";
  element("record").href = `/api/games/${state.game}.txt`;
}

function showOffer() {
  const offers = { draw: state.draw_offer, takeback: state.takeback_offer };
  const open = Object.entries(offers).find(([, by]) => by !== null && isPlaying() && !state.you.includes(by));
  element("offer").hidden = !open;
  if (!open) return;
  const words = { draw: "Your opponent offers a draw.", takeback: "Your opponent would like to take a move back." };
  element("offer-words").textContent = words[/** @type {"draw" | "takeback"} */ (open[0])];
  element("offer").dataset.kind = open[0];
}

function showActions() {
  const isOn = state.choices !== null && !state.outcome;
  const isFree = state.players.some((/** @type {any} */ player) => !player.taken);
  const mine = state.you.length === 2 ? 1 : state.you.includes(state.to_move) ? 2 : 1;
  element("takeback").hidden = !isOn || !isPlaying() || state.ply < mine;
  element("takeback").disabled = state.takeback_offer !== null;
  element("draw").hidden = !isOn || !isPlaying() || !state.has_draws || state.kind === "computer";
  element("draw").disabled = state.draw_offer !== null;
  element("flip").hidden = state.board.view === "strip";
  const talks = state.kind === "friend" || !isPlaying();
  element("chat-panel").hidden = !talks || state.kind === "local";
  element("chat-title").textContent = isPlaying() ? "Chat of the players" : "Chat of those who watch";
  element("resign").hidden = !isOn || !isPlaying() || state.ply < 2;
  element("abort").hidden = state.outcome !== null || !isPlaying() || state.ply >= 2;
  const other = state.you.length === 1 ? 1 - state.you[0] : null;
  element("claim").hidden = !isOn || other === null || state.presence.players[other];
  element("invite").hidden = !isFree || !isPlaying();
  element("link").value = location.href;
  element("join-panel").hidden = !isFree || isPlaying() || state.outcome !== null;
  element("move-form").hidden = !isOn || !state.you.includes(state.to_move);
}

/** @param {string} words */
async function isSure(words) {
  element("sure-words").textContent = words;
  const dialog = element("sure");
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

element("name").value = visitorName();
element("join-form").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  try {
    keepName(element("name").value);
    await wire.ask("rename", { name: visitorName() });
    await wire.ask("join", { room: roomId });
  } catch (error) {
    tell(error);
  }
  enter();
});
element("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    element("copy").textContent = "Copied";
  } catch {
    element("link").select(); // no clipboard over plain http: at least it can be copied by hand
  }
});
element("flip").addEventListener("click", () => {
  board.flip();
  showPlayers();
});
element("takeback").addEventListener("click", () => act("takeback", { action: "propose" }));
element("draw").addEventListener("click", async () => {
  const words = state.kind === "local" ? "Agree on a draw?" : "Offer a draw?";
  if (await isSure(words)) act("draw", { action: "offer" });
});
element("resign").addEventListener("click", async () => {
  if (await isSure("Resign this game?")) act("resign");
});
element("abort").addEventListener("click", async () => {
  if (await isSure("Call this game off?")) act("abort");
});
element("claim").addEventListener("click", () => act("claim", { result: "win" }));
element("rematch").addEventListener("click", () => act("rematch"));
element("accept").addEventListener("click", () => act(element("offer").dataset.kind, { action: "accept" }));
element("decline").addEventListener("click", () => act(element("offer").dataset.kind, { action: "decline" }));
element("chat-form").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const input = element("chat-text");
  if (!input.value.trim()) return;
  try {
    await wire.ask("chat", { room: roomId, text: input.value });
    input.value = "";
  } catch (error) {
    tell(error);
  }
});
element("move-form").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const input = element("move-text");
  if (!input.value.trim()) return;
  play(input.value, []);
  input.value = "";
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") board.back();
});
