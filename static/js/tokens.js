// Tokens for your bots: create one, and list and revoke those you have.
import { copied, element, input, isSure, make, onPress, onSend, part } from "./page.js";
import { Refusal, errorWords } from "./refusal.js";

/** @typedef {{id: string, bot: string, name: string, label: string | null, created: number, last_used: number | null, expires: number | null}} Token */

let shown = ""; // the id of the token that can be copied right now

/** The answer, or Refusal. @param {string} method @param {string} path @param {object} [body] */
async function ask(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/bot/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Refusal(found.error);
  return found;
}

/** @param {number} seconds */
function when(seconds) {
  const date = new Date(seconds * 1000);
  const made = /** @type {HTMLTimeElement} */ (make("time", "", date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })));
  made.dateTime = date.toISOString();
  return made;
}

/** A fact of a token, with its time or what there is instead. @param {string} words @param {number | null} seconds @param {string} otherwise */
function fact(words, seconds, otherwise) {
  const made = make("span", "", seconds === null ? otherwise : `${words} `);
  if (seconds !== null) made.append(when(seconds));
  return made;
}

/** @param {Token} token */
function row(token) {
  const item = make("li");
  const words = make("div", "token-words");
  const title = make("div");
  title.append(make("b", "", token.name), token.label ? ` · ${token.label}` : "");
  const facts = make("div", "token-facts");
  facts.append(
    fact("Created", token.created, ""),
    fact("Last used", token.last_used, "Never used"),
    fact("Expires", token.expires, "Never expires"),
  );
  words.append(title, facts);
  const pressed = make("button", "", "Revoke");
  pressed.setAttribute("aria-label", `Revoke the token for ${titleOf(token)}`);
  pressed.addEventListener("click", () => revoke(token, pressed));
  item.append(words, pressed);
  return item;
}

/** @param {Token} token */
const titleOf = (token) => (token.label ? `${token.name}, ${token.label}` : token.name);

/** @param {Token} token @param {HTMLElement} pressed */
async function revoke(token, pressed) {
  part("tokens-refusal").textContent = "";
  if (!(await isSure(`Revoke the token for ${titleOf(token)}? A bot that uses it can't play any more.`))) return;
  const at = [...part("tokens").querySelectorAll("button")].findIndex((one) => one === pressed);
  try {
    await ask("DELETE", `tokens/${token.id}`);
  } catch (error) {
    // Somebody may have revoked it elsewhere: then the list says so.
    part("tokens-refusal").textContent = errorWords(error);
  }
  await list();
  if (part("tokens-refusal").textContent) return;
  if (token.id === shown) part("token-panel").hidden = true;
  part("tokens-note").textContent = `The token for ${titleOf(token)} is revoked.`;
  // The button that had the focus is gone.
  const left = part("tokens").querySelectorAll("button");
  (left[Math.min(at, left.length - 1)] ?? part("tokens-title")).focus();
}

async function list() {
  try {
    const tokens = /** @type {Token[]} */ ((await ask("GET", "tokens")).tokens).reverse();
    const items = tokens.length ? tokens.map(row) : [make("li", "empty", "You have no tokens.")];
    part("tokens").replaceChildren(...items);
    if (tokens.length) part("tokens-panel").hidden = false;
  } catch (error) {
    // A browser without cookies has no list, and needs none.
    const isStranger = error instanceof Refusal && error.code === "unauthorized";
    if (!isStranger) part("tokens-refusal").textContent = errorWords(error);
  }
}

async function create() {
  part("token-refusal").textContent = part("tokens-note").textContent = "";
  const [label, days] = [input("token-label").value.trim(), element("token-days", HTMLSelectElement).value];
  const fields = { name: input("token-name").value, ...(label && { label }), ...(days && { days: Number(days) }) };
  try {
    const made = await ask("POST", "token", fields);
    shown = made.token_id;
    part("token-of").textContent = made.name;
    part("token-copy").textContent = "Copy";
    part("token-panel").hidden = false;
    input("token").value = made.token;
    input("token").select();
  } catch (error) {
    part("token-refusal").textContent = errorWords(error);
  }
  await list();
}

export function showTokens() {
  onSend("token-form", create);
  onPress("token-copy", async () => {
    part("token-copy").textContent = (await copied(input("token").value)) ? "Copied" : "Copy it by hand";
  });
  list();
}
