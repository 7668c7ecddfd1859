// Who plays, chosen: a level of the computer, a bot of the visitor's, a file, a bot that is online, or a person.
import { element, make, onPress, part } from "../page.js";
import { errorWords } from "../refusal.js";
import { openFile, reloadFile, saveFile } from "./files.js";
import { keepBot, newBot, ownBot, ownBots } from "./library.js";
import { Sandbox } from "./sandbox.js";

/** @typedef {import("./contest.js").Entrant} Entrant */
/** @typedef {import("../protocol.js").Variant} Variant */
/** @typedef {import("../protocol.js").OnlineBot} OnlineBot */

/** The groups of a list of players: titles, with values and words.
 * @param {Variant} variant @param {OnlineBot[]} online @param {{name: string} | null} file @param {boolean} hasPeople
 * @returns {[string, [string, string][]][]} */
export function groupsOf(variant, online, file, hasPeople) {
  const own = ownBots().filter((bot) => bot.game === variant.key);
  const there = online.filter((bot) => bot.games.includes(variant.key));
  /** @type {[string, [string, string][]][]} */
  const groups = [
    ["The computer", variant.levels.map((name, at) => [`level:${at + 1}`, `Computer ${at + 1} · ${name}`])],
    ["Your bots", own.map((bot) => [`own:${bot.id}`, bot.name])],
    ["From a file", file ? [["file", `${file.name}.js`]] : []],
    ["Online", there.map((bot) => [`bot:${bot.id}`, bot.name])],
    ["People", hasPeople ? [["person", "A person, by link"]] : []],
  ];
  return groups.filter(([, values]) => values.length);
}

/** Fill a list with groups. What was chosen stays chosen, even where it is not there any more: nobody else takes its place.
 * @param {HTMLSelectElement} list @param {[string, [string, string][]][]} groups @param {string} wanted */
export function fillGroups(list, groups, wanted) {
  const looks = JSON.stringify([groups, wanted]);
  if (list.dataset.looks === looks) return; // it may be open
  list.dataset.looks = looks;
  const made = groups.map(([title, values]) => {
    const group = document.createElement("optgroup");
    group.label = title;
    group.append(...values.map(([value, words]) => new Option(words, value, false, value === wanted)));
    return group;
  });
  const isThere = groups.some(([, values]) => values.some(([value]) => value === wanted));
  const gone = new Option("Choose a player", "", true, true);
  gone.disabled = true;
  list.replaceChildren(...(isThere ? [] : [gone]), ...made);
}

/** All of these players, or none: those that were made ready are ended if another could not be.
 * @param {Promise<Entrant>[]} promises */
export async function together(promises) {
  const found = await Promise.allSettled(promises);
  const failed = found.find((one) => one.status === "rejected");
  if (!failed) return found.map((one) => /** @type {PromiseFulfilledResult<Entrant>} */ (one).value);
  for (const one of found) if (one.status === "fulfilled" && one.value.kind === "own") one.value.sandbox.end();
  throw failed.reason;
}

/** Who a value of such a list means. @param {string} value @param {OnlineBot[]} online @param {(line: string) => void} onLine
 * @returns {Promise<Entrant>} */
export async function entrantOf(value, online, onLine) {
  const [kind, rest] = [value.split(":")[0], value.slice(value.indexOf(":") + 1)];
  if (!kind) throw new Error("choose a player first");
  if (kind === "level") return { kind: "computer", level: Number(rest) };
  if (kind === "person") return { kind: "person" };
  if (kind === "bot") {
    const found = online.find((bot) => bot.id === rest);
    if (!found) throw new Error("this bot is not online any more");
    return { kind: "bot", id: found.id, name: found.name };
  }
  const bot = ownBot(rest);
  if (!bot) throw new Error("this bot has been deleted");
  return ownEntrant(bot.text, bot.name, onLine);
}

/** A bot of the visitor's, loaded. @param {string} text @param {string} name @param {(line: string) => void} onLine
 * @returns {Promise<Entrant>} */
export async function ownEntrant(text, name, onLine) {
  const sandbox = new Sandbox(text, name, onLine);
  try {
    await sandbox.load();
  } catch (error) {
    sandbox.end();
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return { kind: "own", name: sandbox.name.slice(0, 40), sandbox };
}

/** One player's list on the page of the controller, with the buttons for files. */
export class Chooser {
  /** @param {number} player @param {string} wanted @param {() => void} onChange */
  constructor(player, wanted, onChange) {
    this.player = player;
    this.wanted = wanted;
    this.list = element(`player-${player}`, HTMLSelectElement);
    /** @type {import("./files.js").BotFile | null} */ this.file = null;
    /** @type {Variant | null} */ this.variant = null;
    /** @type {OnlineBot[]} */ this.online = [];
    this.onChange = onChange;
    this.list.addEventListener("change", () => this.#changed());
    onPress(`load-${player}`, () => this.#attempt(async () => this.#took(await openFile())));
    onPress(`reload-${player}`, () => this.#attempt(async () => this.file && this.#took(await reloadFile(this.file))));
    onPress(`save-${player}`, () => this.#attempt(async () => this.#save()));
    onPress(`keep-${player}`, () => this.#attempt(async () => this.#keep()));
  }

  /** @param {Variant} variant @param {OnlineBot[]} online */
  show(variant, online) {
    this.variant = variant;
    this.online = online;
    fillGroups(this.list, groupsOf(variant, online, this.file, true), this.wanted);
    this.#showButtons();
  }

  /** @returns {Promise<Entrant>} */
  entrant() {
    const tell = (/** @type {string} */ line) => this.#write(line);
    if (this.list.value === "file" && this.file) return ownEntrant(this.file.text, this.file.name, tell);
    return entrantOf(this.list.value, this.online, tell);
  }

  #changed() {
    this.wanted = this.list.value;
    this.#tell("");
    this.#showButtons();
    this.onChange();
  }

  /** What is chosen, as text: a file, or a bot of the visitor's. */
  get #text() {
    if (this.list.value === "file" && this.file) return { name: this.file.name, text: this.file.text };
    return this.list.value.startsWith("own:") ? ownBot(this.list.value.slice(4)) : null;
  }

  #showButtons() {
    part(`reload-${this.player}`).hidden = this.list.value !== "file";
    part(`keep-${this.player}`).hidden = this.list.value !== "file";
    part(`save-${this.player}`).hidden = !this.#text;
  }

  /** @param {import("./files.js").BotFile | null} file */
  async #took(file) {
    if (!file || !this.variant) return;
    const entrant = await ownEntrant(file.text, file.name, () => {});
    if (entrant.kind === "own") entrant.sandbox.end();
    this.file = file;
    this.wanted = "file";
    this.show(this.variant, this.online);
    this.#tell(`${file.name}.js is loaded.`);
    this.onChange();
  }

  #save() {
    const found = this.#text;
    if (found) saveFile(found.name, found.text);
  }

  /** Keep a file among the visitor's bots. */
  #keep() {
    if (!this.file || !this.variant) return;
    const bot = newBot(this.file.name, this.variant.key, this.file.text);
    keepBot(bot);
    this.wanted = `own:${bot.id}`;
    this.show(this.variant, this.online);
    this.#tell(`It is in your workshop now, as ${bot.name}.`);
  }

  /** @param {() => Promise<unknown>} task */
  async #attempt(task) {
    try {
      await task();
    } catch (error) {
      this.#tell(errorWords(error));
    }
  }

  /** @param {string} words */
  #tell(words) {
    part(`note-${this.player}`).textContent = words;
  }

  /** @param {string} line */
  #write(line) {
    const log = part("console");
    log.hidden = false;
    log.append(make("div", `is-${this.player}`, line));
    while (log.childElementCount > 500) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  }
}
