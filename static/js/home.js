// The home page: begin a game, or find one.
import { watchConnection } from "./connection.js";
import { NewGame } from "./newgame.js";
import { link, make, part } from "./page.js";
import { ownRooms } from "./ownrooms.js";
import { Wire } from "./wire.js";
import { errorWords } from "./words.js";

const wire = new Wire();
const game = new NewGame(wire);

for (const pressed of document.querySelectorAll("[data-opponent]")) {
  if (pressed instanceof HTMLElement) {
    pressed.addEventListener("click", () => {
      game.open(pressed.dataset.game ?? "", /** @type {any} */ (pressed.dataset.opponent)).catch((error) => {
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
  fill("open", lobby.open, "Nobody waits for an opponent right now.", "Join");
  fill("live", lobby.live, "No public game is being played right now.", "Watch");
  const [open, live] = [lobby.open.length, lobby.live.length];
  const words = [open ? `${open} waiting for an opponent` : "", live ? `${live} being played` : ""];
  part("lobby-line").hidden = !open && !live;
  const line = part("lobby-line").firstElementChild;
  if (line) line.textContent = `Right now: ${words.filter(Boolean).join(", ")}`;
}

/** @param {string} id @param {import("./protocol.js").Listed[]} entries @param {string} none @param {string} verb */
function fill(id, entries, none, verb) {
  const items = entries.map((entry) => {
    const item = make("li");
    const names = entry.players.filter((player) => player.taken).map((player) => player.name);
    item.append(make("b", "", entry.variant), make("span", "", names.join(" against ")), link(`/room/${entry.room}`, verb, "button"));
    return item;
  });
  part(id).replaceChildren(...(items.length ? items : [make("li", "empty", none)]));
}

watchConnection(wire, async () => showLobby((await wire.ask("lobby")).lobby));
wire.on("lobby", showLobby);
