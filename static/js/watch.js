// The watch page: every public game, small and live.
import { miniature } from "./board/board.js";
import { watchConnection } from "./connection.js";
import { link, make, part } from "./page.js";
import { visitorName } from "./visitor.js";
import { Wire } from "./wire.js";
import { sentence } from "./words.js";

/** @typedef {import("./protocol.js").Miniature} Miniature */

const wire = new Wire(visitorName());
/** @type {Map<string, {game: string, tile: HTMLElement, update: (shown: Miniature) => void}>} */ const tiles = new Map();

/** @param {Miniature} shown */
function words(shown) {
  if (!shown.outcome) return `Move ${shown.ply + 1}`;
  if (shown.outcome.aborted) return "Called off";
  return shown.outcome.winner === null ? "A draw" : `${shown.players[shown.outcome.winner].name} has won`;
}

/** @param {Miniature} shown */
function add(shown) {
  const tile = link(`/room/${shown.room}`, "", "tile");
  const [picture, names, state] = [make("div", "tile-board"), make("span", "tile-names"), make("span", "tile-state")];
  const view = make("div");
  picture.append(view);
  tile.append(picture, make("b", "tile-title", shown.variant), names, state);
  part("live").append(tile);
  const redraw = miniature(view, shown.board, shown.last, shown.to_move);
  const update = (/** @type {Miniature} */ next) => {
    redraw(next.board, next.last, next.to_move);
    names.textContent = next.players.map((player) => player.name).join(" – ");
    state.textContent = words(next);
    tile.classList.toggle("is-over", next.outcome !== null);
  };
  update(shown);
  tiles.set(shown.room, { game: shown.game, tile, update });
}

/** @param {Miniature} shown */
function show(shown) {
  const known = tiles.get(shown.room);
  if (known && known.game === shown.game) return known.update(shown);
  known?.tile.remove(); // another game in the same room
  add(shown);
}

function showCount() {
  part("none").hidden = tiles.size > 0;
}

watchConnection(wire, async () => {
  const { live } = await wire.ask("watch");
  for (const { tile } of tiles.values()) tile.remove();
  tiles.clear();
  live.forEach(add);
  showCount();
});
wire.on("boards", ({ changed }) => {
  changed.forEach(show);
  showCount();
});

for (const pressed of document.querySelectorAll("[data-show]")) {
  if (!(pressed instanceof HTMLElement)) continue;
  pressed.addEventListener("click", async () => {
    try {
      const fields = { variant: pressed.dataset.show, opponent: "computers", level: 5, second_level: 5, side: 1, public: true };
      location.assign(`/room/${(await wire.ask("create", fields)).room}`);
    } catch (error) {
      part("refusal").textContent = error instanceof Error ? sentence(error.message) : "";
    }
  });
}
