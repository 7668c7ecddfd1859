// Small things that all pages need.

/** The element of that id. @param {string} id @returns {any} */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/** An element with a class and text. @param {string} tag @param {string} [name] @param {string} [text] */
export function make(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

/** @param {number} seconds */
export function clockText(seconds) {
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
  const whole = Math.max(0, seconds);
  if (whole < 20) return whole.toFixed(1);
  const [minutes, rest] = [Math.floor(whole / 60), Math.floor(whole % 60)];
  const hours = Math.floor(minutes / 60);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A sentence: large at the beginning, a full stop at the end. @param {string} words */
export function sentence(words) {
  const text = words.trim();
  return text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}` : "";
}

/** A new id; pages that come over plain http have no crypto.randomUUID. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
