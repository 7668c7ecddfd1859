// Says when the connection is lost, and when it is back.
import { part } from "./page.js";

const BACK_MS = 1500;

/** @param {import("./wire.js").Wire} wire @param {() => Promise<void>} enter called whenever there is a connection */
export function watchConnection(wire, enter) {
  let timer = 0;
  let wasLost = false;
  wire.onPresence((isThere) => {
    const notice = part("connection");
    clearTimeout(timer);
    notice.textContent = isThere ? "Connected again." : "Connecting again …";
    notice.classList.toggle("is-back", isThere);
    notice.hidden = isThere && !wasLost;
    if (isThere && wasLost) timer = window.setTimeout(() => (notice.hidden = true), BACK_MS);
    wasLost = !isThere;
    if (isThere) enter().catch(() => null); // lost again meanwhile: the next connection asks again
  });
}
