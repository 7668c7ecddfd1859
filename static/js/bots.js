// The page of the bots: who is online, and tokens for your own.
import { watchConnection } from "./connection.js";
import { NewGame } from "./newgame.js";
import { make, part } from "./page.js";
import { showTokens } from "./tokens.js";
import { Wire } from "./wire.js";
import { errorWords } from "./refusal.js";

const wire = new Wire();
const game = new NewGame(wire);

/** @param {import("./protocol.js").Lobby} lobby */
function show(lobby) {
  const items = lobby.bots.map((bot) => {
    const item = make("li");
    item.append(make("span", "", bot.name));
    for (const key of bot.games) {
      const pressed = make("button", "", `Play ${key}`);
      pressed.addEventListener("click", () => {
        game.open(key, "friend", bot).catch((error) => (part("home-refusal").textContent = errorWords(error)));
      });
      item.append(pressed);
    }
    return item;
  });
  part("online").replaceChildren(...(items.length ? items : [make("li", "empty", "No bot is online right now. Yours could be the first.")]));
}

showTokens();
for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;
watchConnection(wire, async () => show((await wire.ask("lobby", {})).lobby));
wire.on("lobby", show);
