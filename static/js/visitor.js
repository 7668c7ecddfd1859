// What this visitor is called, and has chosen before: kept in the browser.

const PREFIX = "isolation.";

export function visitorName() {
  const kept = String(recall("name") ?? "").trim();
  return kept ? kept.slice(0, 24) : "Guest";
}

/** @param {string} name */
export function keepName(name) {
  remember("name", name.trim().slice(0, 24));
}

/** @param {string} key @returns {any} */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null; // what an earlier version kept, or no storage at all
  }
}

/** @param {string} key @param {unknown} value */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing can still play.
  }
}
