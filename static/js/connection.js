// Says when the connection is lost, when it is back, and when it is refused.
import { link, part } from "./page.js";

const BACK_MS = 1500;
const MOMENT_MS = 1000; // a connection may be gone for so long, and nothing is said about it
const BLOCKED = "Something between you and the server blocks WebSockets, and a game needs them. Try another network or browser.";

/** @param {import("./wire.js").Wire} wire @param {() => Promise<void>} enter called whenever there is a connection */
export function watchConnection(wire, enter) {
  const notice = part("connection");
  let timer = 0;
  /** @type {string | null} */ let before = null;
  wire.onChange((state) => {
    if (state === "here") enter().catch(() => null); // lost again meanwhile: the next connection asks again
    if (state === before) return; // another try has failed: the first has set the timer
    before = state;
    clearTimeout(timer);
    if (state === "lost") timer = window.setTimeout(() => say("Reconnecting …"), notice.hidden ? MOMENT_MS : 0);
    else if (state === "blocked") say(BLOCKED);
    else if (state === "refused") say("The server does not know this browser any more. ", link("", "Load the page again"));
    else if (!notice.hidden) {
      say("Reconnected.");
      timer = window.setTimeout(() => (notice.hidden = true), BACK_MS);
    }
    notice.classList.toggle("is-back", state === "here");
  });

  /** @param {...(string | Node)} words */
  function say(...words) {
    notice.replaceChildren(...words);
    notice.hidden = false;
  }
}
