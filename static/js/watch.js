// The watch page: every public game, small and live.
import { miniature } from "./board/board.js";
import { watchConnection } from "./connection.js";
import { plainResult } from "./endings.js";
import { link, make, part } from "./page.js";
import { Wire } from "./wire.js";
import { errorWords } from "./refusal.js";

/** @typedef {import("./protocol.js").Miniature} Miniature */

const wire = new Wire();
const OVER_MS = 60_000; // for how long a finished game can still be looked at
/** @type {Map<string, {game: string, update: (shown: Miniature) => void, remove: () => void}>} */ const tiles = new Map();

/** @param {Miniature} shown */
function words(shown) {
  const names = shown.players.map((player) => player.name);
  return shown.outcome ? plainResult(shown.outcome, names) : `Move ${shown.ply + 1}`;
}

/** @param {Miniature} shown */
function add(shown) {
  const tile = link(`/room/${shown.room}`, "", "tile");
  const [picture, names, state] = [make("div", "tile-board"), make("span", "tile-names"), make("span", "tile-state")];
  const view = make("div");
  picture.append(view);
  tile.append(picture, make("b", "tile-title", shown.variant), names, state);
  part("live").append(tile);
  const drawn = miniature(view, shown.board, shown.last, shown.to_move);
  const update = (/** @type {Miniature} */ next) => {
    drawn.show(next.board, next.last, next.to_move);
    names.textContent = next.players.map((player) => player.name).join(" – ");
    state.textContent = words(next);
    tile.classList.toggle("is-over", next.outcome !== null);
    if (next.outcome) setTimeout(() => tiles.get(next.room)?.game === next.game && drop(next.room), OVER_MS);
  };
  const remove = () => {
    drawn.end();
    tile.remove();
  };
  update(shown);
  tiles.set(shown.room, { game: shown.game, update, remove });
}

/** @param {string} room */
function drop(room) {
  tiles.get(room)?.remove();
  tiles.delete(room);
  showCount();
}

/** @param {Miniature} shown */
function show(shown) {
  const known = tiles.get(shown.room);
  if (known && known.game === shown.game) return known.update(shown);
  if (known) drop(shown.room); // another game in the same room
  add(shown);
}

function showCount() {
  part("none").hidden = tiles.size > 0;
}

watchConnection(wire, async () => {
  const { live } = await wire.ask("watch", {});
  [...tiles.keys()].forEach(drop);
  live.forEach(add);
  showCount();
});
wire.on("boards", ({ changed, gone }) => {
  gone.forEach(drop);
  changed.forEach(show);
  showCount();
});

for (const pressed of document.querySelectorAll("[data-show]")) {
  if (!(pressed instanceof HTMLElement)) continue;
  pressed.addEventListener("click", async () => {
    pressed.setAttribute("disabled", "");
    try {
      const variant = /** @type {import("./protocol.js").VariantKey} */ (pressed.dataset.show);
      const fields = { variant, level: 5, second_level: 5, public: true };
      const { room } = await wire.ask("create", { ...fields, opponent: "computers", side: 1 });
      location.assign(`/room/${room}`);
    } catch (error) {
      part("refusal").textContent = errorWords(error);
    }
    pressed.removeAttribute("disabled");
  });
}
