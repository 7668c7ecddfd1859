// The visitor's own bots, kept in this browser.
import { newId } from "../page.js";
import { recall } from "../visitor.js";

/** @typedef {{id: string, name: string, game: string, text: string}} OwnBot */

const KEY = "bots";
const MOST = 60;
export const LONGEST = 200_000; // letters of a bot

/** All of them, the latest first. @returns {OwnBot[]} */
export function ownBots() {
  const kept = recall(KEY);
  return Array.isArray(kept) ? kept.filter((one) => one && [one.id, one.name, one.game, one.text].every((value) => typeof value === "string")) : [];
}

/** @param {string} id */
export function ownBot(id) {
  return ownBots().find((one) => one.id === id) ?? null;
}

/** Keep a bot, or an Error that says why it can't be kept. @param {OwnBot} bot */
export function keepBot(bot) {
  const others = ownBots().filter((one) => one.id !== bot.id);
  if (others.length >= MOST) throw new Error(`${MOST} bots are kept at the most: delete one first`);
  if (bot.text.length > LONGEST) throw new Error(`a bot has ${LONGEST.toLocaleString("en")} letters at the most`);
  try {
    localStorage.setItem(`isolation.${KEY}`, JSON.stringify([bot, ...others]));
  } catch {
    throw new Error("this browser does not keep any more: export your bots, and delete some");
  }
}

/** @param {string} id */
export function deleteBot(id) {
  localStorage.setItem(`isolation.${KEY}`, JSON.stringify(ownBots().filter((one) => one.id !== id)));
}

/** @param {string} name @param {string} game @param {string} text @returns {OwnBot} */
export function newBot(name, game, text) {
  const taken = new Set(ownBots().map((one) => one.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return { id: newId(), name: free, game, text };
}

/** What the class is called that a text has, if it has one: then it is known by that name. @param {string} text */
export function className(text) {
  const found = [...text.matchAll(/\bclass\s+([A-Za-z_$][\w$]*)\s+extends\s+IPlayer\b/g)];
  return found.at(-1)?.[1] ?? null;
}
