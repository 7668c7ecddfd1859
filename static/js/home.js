// The home page: begin a game, or find one.
import { watchConnection } from "./connection.js";
import { NewGame } from "./newgame.js";
import { link, make, part } from "./page.js";
import { ownRooms } from "./ownrooms.js";
import { Wire } from "./wire.js";
import { errorWords } from "./refusal.js";

const wire = new Wire();
const game = new NewGame(wire);

for (const pressed of document.querySelectorAll("[data-opponent]")) {
  if (pressed instanceof HTMLElement) {
    pressed.addEventListener("click", () => {
      game.open(pressed.dataset.game ?? "", pressed.dataset.opponent ?? "").catch((error) => {
        part("home-refusal").textContent = errorWords(error);
      });
    });
  }
}

const own = ownRooms().map(({ room, variant }) => {
  const item = make("li");
  item.append(link(`/room/${room}`, variant, "button"));
  return item;
});
part("own").replaceChildren(...own);
part("own-rooms").hidden = !own.length;

/** @param {import("./protocol.js").Lobby} lobby */
function showLobby(lobby) {
  fill("open", lobby.open, "No open games. Start one!", joinLink);
  fill("live", lobby.live, "No public games in progress.", (address) => link(address, "Watch", "button"));
  const [open, live] = [lobby.open.length, lobby.live.length];
  const games = (/** @type {number} */ count) => `${count} ${count === 1 ? "game" : "games"}`;
  const words = [open ? `${games(open)} waiting for an opponent` : "", live ? `${games(live)} in progress` : ""];
  part("lobby-line").hidden = !open && !live;
  const line = part("lobby-line").firstElementChild;
  if (line) line.textContent = words.filter(Boolean).join(", ");
}

/** A link that takes the seat before it leads there: one click is enough. @param {string} address @param {string} room */
function joinLink(address, room) {
  const made = link(address, "Join", "button");
  made.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // for a tab of its own, where one can join, too
    event.preventDefault();
    try {
      await wire.ask("join", { room });
      location.assign(address);
    } catch (error) {
      part("lobby-refusal").textContent = errorWords(error);
    }
  });
  return made;
}

/** @param {string} id @param {import("./protocol.js").Listed[]} entries @param {string} none
 * @param {(address: string, room: string) => HTMLElement} action */
function fill(id, entries, none, action) {
  const items = entries.map((entry) => {
    const item = make("li");
    const names = entry.players.filter((player) => player.taken).map((player) => player.name);
    item.append(make("b", "", entry.variant), make("span", "", names.join(" against ")), action(`/room/${entry.room}`, entry.room));
    return item;
  });
  part(id).replaceChildren(...(items.length ? items : [make("li", "empty", none)]));
}

watchConnection(wire, async () => showLobby((await wire.ask("lobby", {})).lobby));
wire.on("lobby", showLobby);
