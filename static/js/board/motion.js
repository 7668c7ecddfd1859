// What moves on the way from one board to another. Pure.
import { has } from "./geometry.js";

/** @typedef {import("../protocol.js").Board} Board */
/** @typedef {{slides: {player: number, from: number, to: number}[], leaves: {player: number, from: number}[],
 *   comes: {player: number, cell: number}[], holes: number[]}} Motion */

export const MOVE_MS = 200;

/** The difference of two boards, or null where there is none to be shown.
 * @param {Board | null} before @param {Board} after @returns {Motion | null} */
export function motionBetween(before, after) {
  if (!before || before.width !== after.width || before.height !== after.height) return null;
  /** @type {Motion} */ const motion = { slides: [], leaves: [], comes: [], holes: [] };
  for (const player of [0, 1]) {
    const gone = before.pieces[player].filter((cell) => !after.pieces[player].includes(cell));
    const come = after.pieces[player].filter((cell) => !before.pieces[player].includes(cell));
    if (gone.length > 1 || come.length > 1) return null; // more than a turn: nothing to follow
    if (gone.length && come.length) motion.slides.push({ player, from: gone[0], to: come[0] });
    else if (gone.length) motion.leaves.push({ player, from: gone[0] });
    else if (come.length) motion.comes.push({ player, cell: come[0] });
  }
  if (before.blocked !== after.blocked) {
    for (let cell = 0; cell < after.width * after.height; cell++) {
      if (has(after.blocked, cell) && !has(before.blocked, cell)) motion.holes.push(cell);
    }
  }
  const parts = Object.values(motion).reduce((sum, list) => sum + list.length, 0);
  return parts && parts < 5 ? motion : null;
}

/** Quick at first, gentle at the end. @param {number} part of the way, 0 to 1 */
export function eased(part) {
  return 1 - (1 - part) ** 3;
}
