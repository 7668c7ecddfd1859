// The dialog for a new game: the game's options, the opponent, the clock. It remembers the last choice.
import { challenge } from "./challenge.js";
import { button, dialog, element, make, onPress, onSend, part } from "./page.js";
import { keepName, recall, remember, visitorName } from "./visitor.js";
import { errorWords } from "./refusal.js";
import { sentence } from "./sentence.js";

/** @typedef {import("./protocol.js").Variant} Variant */
/** @typedef {import("./protocol.js").OnlineBot} OnlineBot */
/** @typedef {import("./commands.js").Commands["create"]} Create */
/** @typedef {import("./protocol.js").Form} Form */

/** @type {Record<string, [string, Create["clock"]]>} */
const CLOCKS = {
  none: ["No clock", null],
  "1+1": ["1 min + 1 s per move", { minutes: 1, increment: 1 }],
  "3+2": ["3 min + 2 s per move", { minutes: 3, increment: 2 }],
  "5+3": ["5 min + 3 s per move", { minutes: 5, increment: 3 }],
  "10+5": ["10 min + 5 s per move", { minutes: 10, increment: 5 }],
  "30+0": ["30 min", { minutes: 30, increment: 0 }],
  "2d": ["2 days per move", { days: 2 }],
};
/** @type {Record<Form["key"], string>} */
const TITLES = {
  computer: "Play the computer",
  friend: "Play a friend",
  local: "Two players, one screen",
  computers: "Watch two computers",
};
/** What the field is called, and what it's called when everyone may. */
const PUBLIC = { join: ["Who can join", "Everyone in the lobby"], watch: ["Who can watch", "Everyone"] };

/** Which fields there are. @param {Variant} variant @param {Form} form
 * @param {Record<string, string>} last what was chosen before */
function fields(variant, form, last) {
  const levels = variant.levels.map((name, at) => /** @type {[string, string]} */ ([String(at + 1), `${at + 1} · ${name}`]));
  const pick = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ values, /** @type {string} */ first) =>
    select(name, label, values, last[name] ?? first);
  const made = [];
  if (form.name) made.push(nameField());
  for (const [name, label, level] of levelFields(form)) made.push(pick(name, label, levels, level));
  for (const option of variant.options) {
    const values = option.values.map((value, at) => /** @type {[string, string]} */ ([JSON.stringify(value), option.words[at]]));
    made.push(pick(`option.${option.name}`, sentence(option.summary).slice(0, -1), values, JSON.stringify(option.default)));
  }
  if (form.side) {
    const [one, two] = variant.sides.map((side, at) => (side === String(at + 1) ? `Player ${side}` : `Player ${at + 1}, ${side}`));
    made.push(pick("side", "Play as", [["random", "Random"], ["1", one], ["2", two]], "random"));
  }
  if (form.clock) {
    const clocks = Object.entries(CLOCKS).map(([key, [words]]) => /** @type {[string, string]} */ ([key, words]));
    made.push(pick("clock", "Clock", clocks, "none"));
  }
  if (form.public) {
    const [label, everyone] = PUBLIC[form.public];
    made.push(pick("public", label, [["no", "Only people with the link"], ["yes", everyone]], form.is_public ? "yes" : "no"));
  }
  return made;
}

/** The fields for levels: name, label, and the level that's proposed.
 * @param {Form} form @returns {[string, string, string][]} */
export function levelFields({ levels }) {
  if (levels === 1) return [["level", "Level", "3"]];
  return ["level", "second_level"].slice(0, levels).map((name, at) => [name, `Player ${at + 1}`, "6"]);
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
 * @param {Variant} variant @param {Form} form @param {Record<string, string>} given @returns {Create} */
export function wanted(variant, form, given) {
  /** @type {Record<string, unknown>} */ const options = {};
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("option.")) options[name.slice(7)] = JSON.parse(value);
  }
  /** @type {Create} */ const asked = { variant: variant.key, opponent: form.key, options };
  if (given.level) asked.level = Number(given.level);
  if (given.second_level) asked.second_level = Number(given.second_level);
  if (given.side && given.side !== "random") asked.side = given.side === "1" ? 1 : 2;
  if (!form.side) asked.side = 1;
  if (given.clock) asked.clock = CLOCKS[given.clock]?.[1] ?? null;
  if (given.public === "yes") asked.public = true;
  return asked;
}

/** A game with its options, and what a form for it asks for.
 * @param {string} game @param {string} opponent @returns {Promise<{variant: Variant, form: Form}>} */
async function find(game, opponent) {
  const answer = await fetch("/api/variants");
  if (!answer.ok) throw new Error("The server can't say how to play this right now. Try again.");
  const { variants, opponents } = await answer.json();
  return { variant: variants.find((/** @type {Variant} */ one) => one.key === game), form: opponents[opponent] };
}

export class NewGame {
  /** @param {import("./wire.js").Wire} wire */
  constructor(wire) {
    this.wire = wire;
    /** @type {{variant: Variant, form: Form, bot: OnlineBot | null} | null} */ this.asked = null;
    onSend("new-form", () => this.#begin());
    onPress("cancel", () => dialog("new-game").close());
  }

  /** @param {string} game @param {string} opponent a kind of room @param {OnlineBot | null} bot who is asked to be the friend */
  async open(game, opponent, bot = null) {
    const { variant, form } = await find(game, opponent);
    this.asked = { variant, form, bot };
    part("new-title").textContent = variant.title;
    part("new-kind").textContent = bot ? `Play ${bot.name}` : TITLES[form.key];
    part("new-refusal").textContent = "";
    part("fields").replaceChildren(...fields(variant, form, recall(`${game}.${opponent}`) ?? {}));
    dialog("new-game").showModal();
    part("start").focus({ preventScroll: true });
    dialog("new-game").scrollTop = 0;
  }

  async #begin() {
    if (!this.asked) return;
    const { variant, form: kind, bot } = this.asked;
    const form = new FormData(element("new-form", HTMLFormElement));
    const given = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    remember(`${variant.key}.${kind.key}`, given);
    button("start").disabled = true; // a second press would make a second room
    try {
      if (given.name) {
        await this.wire.ask("rename", { name: given.name });
        keepName(given.name);
      }
      const made = await this.wire.ask("create", wanted(variant, kind, given));
      if (bot) await challenge(bot.id, made.room);
      location.assign(`/room/${made.room}`);
    } catch (error) {
      part("new-refusal").textContent = errorWords(error);
    } finally {
      button("start").disabled = false;
    }
  }
}
