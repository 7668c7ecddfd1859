// Says when the connection is lost, when it is back, and when it is refused.
import { link, part } from "./page.js";

const BACK_MS = 1500;
const BLOCKED = "Something between you and the server blocks WebSockets, and a game needs them. Try another network or browser.";

/** @param {import("./wire.js").Wire} wire @param {() => Promise<void>} enter called whenever there is a connection */
export function watchConnection(wire, enter) {
  const notice = part("connection");
  let timer = 0;
  let wasLost = false;
  wire.onChange((state) => {
    clearTimeout(timer);
    notice.classList.toggle("is-back", state === "here");
    notice.hidden = state === "here" && !wasLost;
    if (state === "here") notice.textContent = "Reconnected.";
    if (state === "lost") notice.textContent = "Reconnecting …";
    if (state === "blocked") notice.textContent = BLOCKED;
    if (state === "refused") notice.replaceChildren("The server does not know this browser any more. ", link("", "Load the page again"));
    if (state === "here" && wasLost) timer = window.setTimeout(() => (notice.hidden = true), BACK_MS);
    wasLost = state !== "here";
    if (state === "here") enter().catch(() => null); // lost again meanwhile: the next connection asks again
  });
}
