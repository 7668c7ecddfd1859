// What this visitor is called, and has chosen before: kept in the browser.

const NAME = "isolation.name";

export function visitorName() {
  const kept = localStorage.getItem(NAME)?.trim();
  return kept ? kept.slice(0, 24) : "Guest";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name.trim().slice(0, 24));
}

/** @param {string} key */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`isolation.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function remember(key, value) {
  localStorage.setItem(`isolation.${key}`, JSON.stringify(value));
}
