// The home page: begin a game, or find one.
import { element, make, sentence } from "./page.js";
import { keepName, recall, remember, visitorName } from "./visitor.js";
import { Wire } from "./wire.js";

const CLOCKS = {
  none: ["No clock", null],
  "3+2": ["3 minutes, 2 seconds a move", { minutes: 3, increment: 2 }],
  "5+3": ["5 minutes, 3 seconds a move", { minutes: 5, increment: 3 }],
  "10+5": ["10 minutes, 5 seconds a move", { minutes: 10, increment: 5 }],
  "30+0": ["30 minutes", { minutes: 30, increment: 0 }],
  "2d": ["2 days a move", { days: 2 }],
};
const TITLES = { computer: "Play the computer", friend: "Play a friend", local: "Two players, one screen", computers: "Watch two computers" };

const wire = new Wire(visitorName());
const variants = fetch("/api/variants").then((answer) => answer.json()).then((found) => found.variants);
/** @type {any} */ let wanted = null;

/** A select with its label. @param {string} name @param {string} label @param {[string, string][]} values @param {string} chosen */
function select(name, label, values, chosen) {
  const field = make("label", "field", label);
  const box = document.createElement("select");
  box.name = name;
  for (const [value, words] of values) box.append(new Option(words, value, false, value === chosen));
  field.append(box);
  return field;
}

/** @param {string} game @param {keyof typeof TITLES} opponent */
async function ask(game, opponent) {
  const variant = (await variants).find((/** @type {any} */ one) => one.key === game);
  const last = recall(`${game}.${opponent}`) ?? {};
  wanted = { variant, opponent };
  element("new-title").textContent = `${variant.title}: ${TITLES[opponent].toLowerCase()}`;
  element("new-refusal").textContent = "";
  const fields = [];
  if (opponent === "friend") {
    const name = make("label", "field", "Your name");
    const input = document.createElement("input");
    Object.assign(input, { name: "name", value: visitorName(), maxLength: 24, required: true });
    name.append(input);
    fields.push(name);
  }
  const levels = variant.levels.map((/** @type {string} */ level, /** @type {number} */ at) => [String(at + 1), `${at + 1} · ${level}`]);
  if (opponent === "computer" || opponent === "computers") fields.push(select("level", opponent === "computer" ? "Level" : "Player 1", levels, last.level ?? "3"));
  if (opponent === "computers") fields.push(select("second_level", "Player 2", levels, last.second_level ?? "4"));
  for (const option of variant.options) {
    if (!option.values) continue;
    const values = option.values.map((/** @type {any} */ value) => [JSON.stringify(value), String(value)]);
    const label = option.name[0].toUpperCase() + option.name.slice(1);
    fields.push(select(`option.${option.name}`, label, values, last[`option.${option.name}`] ?? JSON.stringify(option.default)));
  }
  if (opponent === "computer" || opponent === "friend") {
    fields.push(select("side", "You are", [["random", "Either, by lot"], ["1", "Player 1"], ["2", "Player 2"]], last.side ?? "random"));
  }
  if (opponent !== "computers") {
    const clocks = Object.entries(CLOCKS).map(([key, [words]]) => /** @type {[string, string]} */ ([key, String(words)]));
    fields.push(select("clock", "Clock", clocks, last.clock ?? "none"));
  }
  if (opponent === "friend") fields.push(select("public", "Who can join", [["no", "Whoever has the link"], ["yes", "Anybody in the lobby"]], last.public ?? "no"));
  element("fields").replaceChildren(...fields);
  element("new-game").showModal();
  element("start").focus();
}

element("new-form").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(element("new-form")));
  const { variant, opponent } = wanted;
  remember(`${variant.key}.${opponent}`, given);
  /** @type {Record<string, any>} */ const options = {};
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("option.")) options[name.slice(7)] = JSON.parse(String(value));
  }
  /** @type {Record<string, any>} */ const fields = { variant: variant.key, opponent, options };
  if (given.level) fields.level = Number(given.level);
  if (given.second_level) fields.second_level = Number(given.second_level);
  if (given.side && given.side !== "random") fields.side = Number(given.side);
  if (opponent === "local" || opponent === "computers") fields.side = 1;
  if (given.clock) fields.clock = CLOCKS[/** @type {keyof typeof CLOCKS} */ (String(given.clock))][1];
  if (given.public === "yes") fields.public = true;
  try {
    if (given.name) {
      keepName(String(given.name));
      await wire.ask("rename", { name: visitorName() });
    }
    const made = await wire.ask("create", fields);
    location.assign(`/room/${made.room}`);
  } catch (error) {
    element("new-refusal").textContent = error instanceof Error ? sentence(error.message) : "";
  }
});
element("cancel").addEventListener("click", () => element("new-game").close());
for (const button of document.querySelectorAll("[data-opponent]")) {
  if (button instanceof HTMLElement) {
    button.addEventListener("click", () => ask(button.dataset.game ?? "", /** @type {any} */ (button.dataset.opponent)));
  }
}

/** @param {any} lobby */
function showLobby(lobby) {
  fill("open", lobby.open, "Nobody waits for an opponent right now.", "Join");
  fill("live", lobby.live, "No public game is being played right now.", "Watch");
}

/** @param {string} id @param {any[]} entries @param {string} none @param {string} verb */
function fill(id, entries, none, verb) {
  const items = entries.map((entry) => {
    const item = make("li");
    const link = /** @type {HTMLAnchorElement} */ (make("a", "", verb));
    link.href = `/room/${entry.room}`;
    const names = entry.players.filter((/** @type {any} */ player) => player.taken).map((/** @type {any} */ player) => player.name);
    item.append(make("b", "", entry.variant), ` ${names.join(" against ")} `, link);
    return item;
  });
  element(id).replaceChildren(...(items.length ? items : [make("li", "empty", none)]));
}

wire.onPresence(async (isThere) => {
  if (isThere) showLobby((await wire.ask("lobby")).lobby);
});
wire.on("lobby", showLobby);
