// The page of the bots: who is online, and a token for one of your own.
import { watchConnection } from "./connection.js";
import { NewGame } from "./newgame.js";
import { copied, input, make, onPress, onSend, part } from "./page.js";
import { Wire } from "./wire.js";
import { errorWords } from "./words.js";

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

onSend("token-form", async () => {
  part("token-refusal").textContent = "";
  try {
    const answer = await fetch("/api/bot/token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: input("token-name").value }),
    });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error.message);
    part("token-of").textContent = found.name;
    input("token").value = found.token;
    part("token-panel").hidden = false;
    input("token").select();
  } catch (error) {
    part("token-refusal").textContent = errorWords(error);
  }
});
onPress("token-copy", async () => {
  part("token-copy").textContent = (await copied(input("token").value)) ? "Copied" : "Copy it by hand";
});
for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;
watchConnection(wire, async () => show((await wire.ask("lobby")).lobby));
wire.on("lobby", show);
