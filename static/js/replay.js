// The replay of a game: step, jump, play and pause; a link to a position; the position as a picture.
import { BoardView } from "./board/board.js";
import { fetchHistory } from "./history.js";
import { button, copied, element, input, isShortcut, onPress, part, savePicture } from "./page.js";
import { MovesPanel } from "./panels/moves.js";
import { sound } from "./sound.js";
import { recall, remember } from "./visitor.js";
import { errorWords } from "./refusal.js";

const PICTURE_WIDTH = 1200;
const positions = part("replay").dataset.positions ?? "";
const board = new BoardView(part("board"), {
  onPoint: (cell) => (part("cell-name").textContent = cell === null ? "" : board.nameOf(cell)),
});
const moves = new MovesPanel((ply) => {
  pause();
  go(ply);
});
const speed = element("speed", HTMLSelectElement);
/** @type {import("./history.js").History | null} */ let history = null;
let at = 0;
let timer = 0;

/** @param {number} ply */
function go(ply) {
  if (!history) return;
  const before = at;
  at = Math.min(history.moves.length, Math.max(0, ply));
  if (at === before + 1) sound(history.frames[at].board.blocked === history.frames[before].board.blocked ? "step" : "block");
  show();
  if (!timer) keepAddress();
}

/** The address is the position; not at every step of a playback: browsers allow so many changes only. */
function keepAddress() {
  try {
    window.history.replaceState(null, "", `#${at}`);
  } catch {
    // The next pause writes it.
  }
}

function show() {
  if (!history) return;
  const frame = history.frames[at];
  board.show({ at: String(at), board: frame.board, choices: null, toMove: frame.toMove, last: frame.last, isMine: false });
  moves.show(history.moves, at);
  input("scrub").value = String(at);
  const isEnd = at === history.moves.length;
  part("task").textContent = at ? `Move ${at} of ${history.moves.length}: ${history.moves[at - 1]}` : "Start of the game.";
  part("ending").hidden = !isEnd;
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  keepAddress();
  button("play").setAttribute("aria-pressed", "false");
  button("play").textContent = "Play";
}

function run() {
  if (!history?.moves.length) return;
  if (at === history.moves.length) go(0);
  button("play").setAttribute("aria-pressed", "true");
  button("play").textContent = "Pause";
  const step = () => {
    if (!history) return;
    go(at + 1);
    if (at === history.moves.length) pause();
    else timer = window.setTimeout(step, Number(speed.value));
  };
  timer = window.setTimeout(step, Number(speed.value));
}

function fromAddress() {
  return /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0;
}

speed.value = String(recall("speed") ?? speed.value);
speed.addEventListener("change", () => remember("speed", speed.value));
onPress("play", () => (timer ? pause() : run()));
onPress("flip", () => board.flip());
onPress("copy", async () => {
  const address = `${location.origin}${location.pathname}#${at}`;
  part("copied").textContent = (await copied(address)) ? "Link copied." : address;
});
onPress("picture", () => savePicture(board.picture(PICTURE_WIDTH), `isolation-${at}.png`));
input("scrub").addEventListener("input", () => {
  pause();
  go(Number(input("scrub").value));
});
addEventListener("hashchange", () => {
  if (!/^#\d+$/.test(location.hash)) return; // a place on the page
  pause();
  go(fromAddress());
});
document.addEventListener("keydown", (event) => {
  if (!isShortcut(event)) return;
  const isOnButton = event.target instanceof Element && event.target.closest("button, a") !== null;
  if (event.key === " " && !isOnButton) {
    event.preventDefault();
    button("play").click();
  }
  if (event.key === "f" && !button("flip").hidden) button("flip").click();
  if (event.key === "b") board.focus();
});

try {
  history = await fetchHistory(positions);
  input("scrub").max = String(history.moves.length);
  at = Math.min(history.moves.length, Math.max(0, fromAddress()));
  show();
} catch (error) {
  part("task").textContent = errorWords(error);
}
