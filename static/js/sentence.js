// How a sentence is written: the one rule for all words of the pages.

const SQUARE = /^[a-z]{1,2}\d/; // begins a sentence as it is written

/** A sentence: large at the beginning, a full stop at the end. @param {string} words */
export function sentence(words) {
  const text = words.trim();
  if (!text) return "";
  const begun = SQUARE.test(text) ? text : text[0].toUpperCase() + text.slice(1);
  return begun + (/[.!?…]$/.test(text) ? "" : ".");
}
