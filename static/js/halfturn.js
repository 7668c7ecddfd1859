// The first half of a turn, kept in this tab so that a reload doesn't lose it.

const KEY = "isolation.halfturn";

/** @param {string} at names the position @param {number[]} cells chosen so far */
export function keepHalfTurn(at, cells) {
  try {
    if (cells.length) sessionStorage.setItem(KEY, JSON.stringify({ at, cells }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing can still play.
  }
}

/** What was chosen in this position. @param {string} at @returns {number[]} */
export function halfTurn(at) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.at === at && Array.isArray(kept.cells) ? kept.cells : [];
  } catch {
    return [];
  }
}
