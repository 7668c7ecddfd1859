// The workshop: write a bot, let it play, see what it does.
import { entrantOf, fillGroups, groupsOf, ownEntrant, together } from "./bots/chooser.js";
import { Editor } from "./bots/editor.js";
import { openFile, saveFile } from "./bots/files.js";
import { className, deleteBot, keepBot, newBot, ownBots } from "./bots/library.js";
import { OptionsForm } from "./bots/options.js";
import { ContestPanel } from "./bots/panel.js";
import { BotFault } from "./bots/sandbox.js";
import { dialog, element, input, isSure, make, onPress, part } from "./page.js";
import { recall, remember } from "./visitor.js";
import { Wire } from "./wire.js";
import { errorWords } from "./refusal.js";

/** @typedef {import("./protocol.js").Variant} Variant */
/** @typedef {import("./bots/library.js").OwnBot} OwnBot */

const SAVE_MS = 400;
const MOST_LINES = 500;
const FIRST = { file: "pawn_move.js", game: "classic" };

const wire = new Wire();
const list = element("bots", HTMLSelectElement);
const opponents = element("opponent", HTMLSelectElement);
const seat = element("seat", HTMLSelectElement);
/** @type {Variant[]} */ let variants = [];
/** @type {import("./protocol.js").OnlineBot[]} */ let online = [];
/** @type {OwnBot | null} */ let bot = null;
let timer = 0;

const editor = new Editor(part("editor"), () => {
  editor.mark(null);
  clearTimeout(timer);
  timer = window.setTimeout(save, SAVE_MS);
  if (panel.contest.isBegun) void panel.reset(); // another text is another bot
});
const options = new OptionsForm(part("options"), () => {
  if (bot) remember(`workshop.${bot.game}`, options.values);
  void panel.reset().then(preview);
});
const panel = new ContestPanel(wire, {
  async prepare() {
    save();
    if (!bot) throw new Error("there is no bot yet");
    editor.mark(null);
    part("console").replaceChildren();
    const mine = ownEntrant(bot.text, bot.name, (line) => write(line)).catch((error) => {
      complain(error.cause ?? error);
      throw error;
    });
    const entrants = await together([mine, entrantOf(opponents.value, online, (line) => write(line, "is-other"))]);
    return { variant: /** @type {import("./protocol.js").VariantKey} */ (bot.game), options: options.values, entrants: seat.value === "1" ? entrants : entrants.reverse() };
  },
  onFault: (player, error) => complain(error, String(player + 1) === seat.value),
  enter: async () => showOnline((await wire.ask("lobby", {})).lobby),
});

// The console.

/** @param {string} line @param {string} [name] */
function write(line, name = "") {
  const log = part("console");
  log.append(make("div", name, line));
  while (log.childElementCount > MOST_LINES) log.firstElementChild?.remove();
  log.scrollTop = log.scrollHeight;
}

/** Say what is wrong with a bot; if it is the one in the editor, where. @param {unknown} error */
function complain(error, isMine = true) {
  write(errorWords(error), "is-fault");
  if (isMine && error instanceof BotFault && error.line) editor.mark(error.line, error.message);
}

// The bots.

/** Keep what is in the editor. */
function save() {
  clearTimeout(timer);
  if (!bot) return;
  const text = editor.text;
  const name = className(text) ?? (input("name").value.trim().slice(0, 40) || bot.name);
  if (text === bot.text && name === bot.name) return;
  bot = { ...bot, text, name };
  try {
    keepBot(bot);
    part("kept").textContent = "Kept in this browser.";
  } catch (error) {
    part("kept").textContent = errorWords(error);
  }
  showList();
}

function showList() {
  const title = (/** @type {string} */ key) => variants.find((one) => one.key === key)?.title ?? key;
  const kept = ownBots().sort((one, other) => one.name.localeCompare(other.name));
  list.replaceChildren(...kept.map((one) => new Option(`${one.name} · ${title(one.game)}`, one.id, false, one.id === bot?.id)));
  const isClass = bot !== null && className(bot.text) !== null;
  if (document.activeElement !== input("name") || isClass) input("name").value = bot?.name ?? "";
  input("name").readOnly = isClass;
  showOpponents();
}

function variant() {
  return variants.find((one) => one.key === bot?.game);
}

function showOpponents() {
  const rules = variant();
  if (!rules) return;
  fillGroups(opponents, groupsOf(rules, online, null, true), opponents.value || String(recall("workshop.opponent") ?? "level:1"));
}

/** @param {import("./protocol.js").Lobby} lobby */
function showOnline(lobby) {
  online = lobby.bots;
  showOpponents();
}
wire.on("lobby", showOnline);

/** @param {OwnBot} chosen */
function open(chosen) {
  save();
  bot = chosen;
  remember("workshop.bot", bot.id);
  editor.open(bot.text);
  part("console").replaceChildren();
  input("name").value = bot.name;
  showList();
  const rules = variant();
  if (rules) options.show(rules.options, recall(`workshop.${bot.game}`) ?? {});
  void panel.reset().then(preview);
}

async function preview() {
  if (bot) await panel.preview(bot.game, options.values);
}

/** A new bot from a template. @param {string} file @param {string} game @param {string} name */
async function begin(file, game, name) {
  const answer = await fetch(`/bots/samples/${file}`);
  if (!answer.ok) throw new Error("the template can't be had right now");
  const text = await answer.text();
  add(className(text) ?? name, game, text);
}

/** @param {string} name @param {string} game @param {string} text */
function add(name, game, text) {
  const made = newBot(name, game, text);
  keepBot(made);
  open(made);
}

// What people press.

/** @param {() => unknown} task */
async function attempt(task) {
  panel.tell("");
  try {
    await task();
  } catch (error) {
    panel.tell(errorWords(error));
  }
}

list.addEventListener("change", () => {
  const chosen = ownBots().find((one) => one.id === list.value);
  if (chosen) open(chosen);
});
opponents.addEventListener("change", () => {
  remember("workshop.opponent", opponents.value);
  void panel.reset();
});
seat.addEventListener("change", () => void panel.reset());
input("name").addEventListener("change", () => {
  save();
  void panel.reset();
});
onPress("new", () => dialog("templates").showModal());
onPress("cancel", () => dialog("templates").close());
for (const pressed of document.querySelectorAll("[data-template]")) {
  if (!(pressed instanceof HTMLElement)) continue;
  pressed.addEventListener("click", () => {
    dialog("templates").close();
    void attempt(() => begin(pressed.dataset.template ?? "", pressed.dataset.game ?? "", "MyBot"));
  });
}
onPress("import", () => attempt(async () => {
  const file = await openFile();
  if (!file) return;
  add(className(file.text) ?? file.name, className(file.text) ? "isola" : (bot?.game ?? FIRST.game), file.text);
}));
onPress("export", () => {
  save();
  if (bot) saveFile(bot.name, bot.text);
});
onPress("delete", () => attempt(async () => {
  if (!bot || !(await isSure(`Delete ${bot.name}? It is kept nowhere else.`))) return;
  const { id } = bot;
  bot = null;
  deleteBot(id);
  await first();
}));
onPress("clear", () => part("console").replaceChildren());
addEventListener("pagehide", save);

/** The bot that was open last, any other, or a new one. */
async function first() {
  const kept = ownBots();
  const chosen = kept.find((one) => one.id === recall("workshop.bot")) ?? kept[0];
  if (chosen) open(chosen);
  else await begin(FIRST.file, FIRST.game, "My first bot");
}

await attempt(async () => {
  const answer = await fetch("/api/variants");
  variants = (await answer.json()).variants;
  await first();
});
