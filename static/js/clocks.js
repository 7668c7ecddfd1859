// What the clocks show, and whether they run. Pure.
import { isOn } from "./seats.js";

/** @typedef {import("./protocol.js").Snapshot} Snapshot */

const CLOCKS_START = 2; // turns are made before the clocks start

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

/** Whether the clock of a player runs. @param {Snapshot} state @param {number} player */
export function isTicking(state, player) {
  return state.left !== null && state.running && !state.outcome && state.to_move === player;
}

/** The seconds a player has left, so many seconds after the server said what the clocks show.
 * @param {Snapshot} state @param {number} player @param {number} since */
export function timeLeft(state, player, since) {
  return (state.left?.[player] ?? 0) - (isTicking(state, player) ? since : 0);
}

/** Whether the clocks stand still though they should run: the server can't save moves. @param {Snapshot} state */
export function isStopped(state) {
  return isOn(state) && state.left !== null && state.ply >= CLOCKS_START && !state.running;
}

/** What is said while the server can't save moves. @param {Snapshot} state @param {boolean} isRefused it has just said so */
export function outageWords(state, isRefused) {
  if (!isStopped(state) && !(isRefused && isOn(state))) return "";
  return `The server can't save moves right now.${state.left ? " Clocks are stopped." : ""}`;
}
