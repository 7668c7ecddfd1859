// The dialog for a new game: the game's options, the opponent, the clock. It remembers the last choice.
import { challenge } from "./challenge.js";
import { button, dialog, element, make, onPress, onSend, part } from "./page.js";
import { keepName, recall, remember, visitorName } from "./visitor.js";
import { errorWords } from "./refusal.js";
import { sentence } from "./sentence.js";

/** @typedef {import("./protocol.js").Variant} Variant */
/** @typedef {import("./protocol.js").OnlineBot} OnlineBot */
/** @typedef {import("./commands.js").Commands["create"]} Create */
/** @typedef {"computer" | "friend" | "local" | "computers"} Opponent */

/** @type {Record<string, [string, Create["clock"]]>} */
const CLOCKS = {
  none: ["No clock", null],
  "1+1": ["1 minute, 1 second a move", { minutes: 1, increment: 1 }],
  "3+2": ["3 minutes, 2 seconds a move", { minutes: 3, increment: 2 }],
  "5+3": ["5 minutes, 3 seconds a move", { minutes: 5, increment: 3 }],
  "10+5": ["10 minutes, 5 seconds a move", { minutes: 10, increment: 5 }],
  "30+0": ["30 minutes", { minutes: 30, increment: 0 }],
  "2d": ["2 days a move", { days: 2 }],
};
const TITLES = {
  computer: "Play the computer",
  friend: "Play a friend",
  local: "Two players, one screen",
  computers: "Watch two computers",
};
const NOBODY = /** @type {[string, string]} */ (["no", "Whoever has the link"]);

/** Which fields there are, and for which opponents. @param {Variant} variant @param {Opponent} opponent
 * @param {Record<string, string>} last what was chosen before */
function fields(variant, opponent, last) {
  const levels = variant.levels.map((name, at) => /** @type {[string, string]} */ ([String(at + 1), `${at + 1} · ${name}`]));
  const pick = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ values, /** @type {string} */ first) =>
    select(name, label, values, last[name] ?? first);
  const made = [];
  if (opponent === "friend") made.push(nameField());
  if (opponent === "computer") made.push(pick("level", "Level", levels, "3"));
  if (opponent === "computers") made.push(pick("level", "Player 1", levels, "6"), pick("second_level", "Player 2", levels, "6"));
  for (const option of variant.options) {
    const values = option.values.map((value, at) => /** @type {[string, string]} */ ([JSON.stringify(value), option.words[at]]));
    made.push(pick(`option.${option.name}`, sentence(option.summary).slice(0, -1), values, JSON.stringify(option.default)));
  }
  if (opponent === "computer" || opponent === "friend") {
    const [one, two] = variant.sides.map((side, at) => (side === String(at + 1) ? `Player ${side}` : `Player ${at + 1}, ${side}`));
    made.push(pick("side", "You are", [["random", "Either, by lot"], ["1", one], ["2", two]], "random"));
  }
  if (opponent !== "computers") {
    const clocks = Object.entries(CLOCKS).map(([key, [words]]) => /** @type {[string, string]} */ ([key, words]));
    made.push(pick("clock", "Clock", clocks, "none"));
  }
  if (opponent === "friend") made.push(pick("public", "Who can join", [NOBODY, ["yes", "Anybody in the lobby"]], "no"));
  else if (opponent !== "local") {
    made.push(pick("public", "Who can watch", [NOBODY, ["yes", "Everybody"]], opponent === "computers" ? "yes" : "no"));
  }
  return made;
}

/** A select with its label. @param {string} name @param {string} label @param {[string, string][]} values @param {string} chosen */
function select(name, label, values, chosen) {
  const field = make("label", "field", label);
  const box = document.createElement("select");
  box.name = name;
  for (const [value, words] of values) box.append(new Option(words, value, false, value === chosen));
  field.append(box);
  return field;
}

function nameField() {
  const field = make("label", "field", "Your name");
  const box = document.createElement("input");
  Object.assign(box, { name: "name", value: visitorName(), maxLength: 24, required: true, autocomplete: "nickname" });
  field.append(box);
  return field;
}

/** What the server is asked for.
 * @param {Variant} variant @param {Opponent} opponent @param {Record<string, string>} given @returns {Create} */
export function wanted(variant, opponent, given) {
  /** @type {Record<string, unknown>} */ const options = {};
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("option.")) options[name.slice(7)] = JSON.parse(value);
  }
  /** @type {Create} */ const asked = { variant: variant.key, opponent, options };
  if (given.level) asked.level = Number(given.level);
  if (given.second_level) asked.second_level = Number(given.second_level);
  if (given.side && given.side !== "random") asked.side = given.side === "1" ? 1 : 2;
  if (opponent === "local" || opponent === "computers") asked.side = 1;
  if (given.clock) asked.clock = CLOCKS[given.clock]?.[1] ?? null;
  if (given.public === "yes") asked.public = true;
  return asked;
}

/** A game with its options. @param {string} game @returns {Promise<Variant>} */
async function find(game) {
  const answer = await fetch("/api/variants");
  if (!answer.ok) throw new Error("the server can not say how this is played right now: try again");
  const { variants } = await answer.json();
  return variants.find((/** @type {Variant} */ one) => one.key === game);
}

export class NewGame {
  /** @param {import("./wire.js").Wire} wire */
  constructor(wire) {
    this.wire = wire;
    /** @type {{variant: Variant, opponent: Opponent, bot: OnlineBot | null} | null} */ this.asked = null;
    onSend("new-form", () => this.#begin());
    onPress("cancel", () => dialog("new-game").close());
  }

  /** @param {string} game @param {Opponent} opponent @param {OnlineBot | null} bot who is asked to be the friend */
  async open(game, opponent, bot = null) {
    const variant = await find(game);
    this.asked = { variant, opponent, bot };
    part("new-title").textContent = variant.title;
    part("new-kind").textContent = bot ? `Play ${bot.name}` : TITLES[opponent];
    part("new-refusal").textContent = "";
    part("fields").replaceChildren(...fields(variant, opponent, recall(`${game}.${opponent}`) ?? {}));
    dialog("new-game").showModal();
    part("start").focus({ preventScroll: true });
    dialog("new-game").scrollTop = 0;
  }

  async #begin() {
    if (!this.asked) return;
    const { variant, opponent, bot } = this.asked;
    const form = new FormData(element("new-form", HTMLFormElement));
    const given = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    remember(`${variant.key}.${opponent}`, given);
    button("start").disabled = true; // a second press would make a second room
    try {
      if (given.name) {
        await this.wire.ask("rename", { name: given.name });
        keepName(given.name);
      }
      const made = await this.wire.ask("create", wanted(variant, opponent, given));
      if (bot) await challenge(bot.id, made.room);
      location.assign(`/room/${made.room}`);
    } catch (error) {
      part("new-refusal").textContent = errorWords(error);
    } finally {
      button("start").disabled = false;
    }
  }
}
