// Small things that all pages need.

/** The element of that id, which is of that kind. @template {HTMLElement} T
 * @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} ${id}`);
  return found;
}

/** @param {string} id */
export const part = (id) => element(id, HTMLElement);
/** @param {string} id */
export const button = (id) => element(id, HTMLButtonElement);
/** @param {string} id */
export const input = (id) => element(id, HTMLInputElement);
/** @param {string} id */
export const dialog = (id) => element(id, HTMLDialogElement);

/** Call when a button is pressed. @param {string} id @param {() => void} then */
export function onPress(id, then) {
  button(id).addEventListener("click", then);
}

/** Call when a form is sent. @param {string} id @param {() => void} then */
export function onSend(id, then) {
  element(id, HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    then();
  });
}

/** An element with a class and text. @param {string} tag @param {string} [name] @param {string} [text] */
export function make(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

/** A link. @param {string} address @param {string} text @param {string} [name] */
export function link(address, text, name = "") {
  const made = /** @type {HTMLAnchorElement} */ (make("a", name, text));
  made.href = address;
  return made;
}

/** Ask before something that would hurt if it were a slip. @param {string} words @returns {Promise<boolean>} */
export async function isSure(words) {
  part("sure-words").textContent = words;
  const sure = dialog("sure");
  sure.returnValue = "no";
  sure.showModal();
  await new Promise((resolve) => sure.addEventListener("close", resolve, { once: true }));
  return sure.returnValue === "yes";
}

/** Whether a key is meant for the page: not for a field, a dialog or the browser. @param {KeyboardEvent} event */
export function isShortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  return !(event.target instanceof Element && event.target.closest("input, select, textarea, dialog"));
}

/** Change what is shown; hiding what has the focus would send it to the top of the page.
 * @param {() => void} change @param {() => void} rescue called when the focus was lost */
export function keepFocus(change, rescue) {
  const held = document.activeElement;
  change();
  if (!(held instanceof HTMLElement) || held === document.body) return;
  const now = document.activeElement;
  if (now !== held && now !== document.body) return;
  if (held.isConnected && held.offsetParent !== null && !held.matches(":disabled")) return;
  rescue();
}

/** A new id; pages that come over plain http have no crypto.randomUUID. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Put a text where it can be pasted; false where the browser does not let us. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Save a picture as a file. @param {HTMLCanvasElement} canvas @param {string} name */
export function savePicture(canvas, name) {
  canvas.toBlob((blob) => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    const made = link(address, "");
    made.download = name;
    made.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
}
