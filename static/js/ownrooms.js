// The rooms in which this visitor plays, so that the home page leads back to them.
import { recall, remember } from "./visitor.js";

const MOST = 8;

/** @returns {{room: string, variant: string}[]} */
export function ownRooms() {
  const kept = recall("rooms");
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.room === "string" && typeof one.variant === "string") : [];
}

/** @param {string} room @param {string} variant */
export function keepRoom(room, variant) {
  const others = ownRooms().filter((one) => one.room !== room);
  remember("rooms", [{ room, variant }, ...others].slice(0, MOST));
}

/** @param {string} room */
export function forgetRoom(room) {
  remember("rooms", ownRooms().filter((one) => one.room !== room));
}
