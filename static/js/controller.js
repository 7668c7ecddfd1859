// The page of the controller: who plays whom at what, and the contest between them.
import { Chooser, together } from "./bots/chooser.js";
import { OptionsForm } from "./bots/options.js";
import { ContestPanel } from "./bots/panel.js";
import { element, onPress, part } from "./page.js";
import { recall, remember } from "./visitor.js";
import { Wire } from "./wire.js";

/** @typedef {import("./protocol.js").Variant} Variant */

const wire = new Wire();
const games = element("game", HTMLSelectElement);
/** @type {Variant[]} */ let variants = [];
/** @type {import("./protocol.js").OnlineBot[]} */ let online = [];
const kept = recall("controller") ?? {};
const choosers = [0, 1].map((player) => new Chooser(player, kept.players?.[player] ?? `level:${4 - player}`, changed));
const options = new OptionsForm(part("options"), changed);

const panel = new ContestPanel(wire, {
  async prepare() {
    part("console").replaceChildren();
    const entrants = await together(choosers.map((chooser) => chooser.entrant()));
    return { variant: variant().key, options: options.values, entrants };
  },
  async enter() {
    const { lobby } = await wire.ask("lobby", {});
    showOnline(lobby);
  },
});

function variant() {
  return variants.find((one) => one.key === games.value) ?? variants[0];
}

/** @param {import("./protocol.js").Lobby} lobby */
function showOnline(lobby) {
  online = lobby.bots;
  if (variants.length) for (const chooser of choosers) chooser.show(variant(), online);
}
wire.on("lobby", showOnline);

/** Another choice is another game. */
function changed() {
  remember("controller", {
    game: games.value,
    players: choosers.map((chooser) => chooser.wanted),
    options: { ...recall("controller")?.options, [games.value]: options.values },
  });
  void panel.reset().then(preview);
}

function showGame() {
  options.show(variant().options, recall("controller")?.options?.[games.value] ?? {});
  part("randomize").hidden = !options.hasNumbers;
  for (const chooser of choosers) chooser.show(variant(), online);
}

/** The board as the game would begin. */
function preview() {
  return panel.preview(games.value, options.values);
}

games.addEventListener("change", () => {
  showGame();
  changed();
});
onPress("randomize", () => options.randomize());

try {
  const answer = await fetch("/api/variants");
  variants = (await answer.json()).variants;
  const wanted = new URLSearchParams(location.search).get("game") ?? kept.game ?? "isola";
  games.value = variants.some((one) => one.key === wanted) ? wanted : "isola";
  showGame();
  await preview();
} catch {
  panel.tell("The server does not answer. Load the page again.");
}
