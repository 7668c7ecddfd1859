// A bot from its text: a function move(data, player_number), the public template that exports a constructor of an object
// with such a method, or a class with getNextMove and getNextSteal.
// Runs the text: only ever in a worker inside a sandboxed frame, or in a process of its own.
import { GameState, IPlayer, Position } from "./isola.js";

const GIVEN = { Position, GameState, IPlayer };
const NO_BOT = "there is no bot in this file: it needs a function move(data, player_number), module.exports with a method move, or a class with getNextMove and getNextSteal";
const LONGEST_ANSWER = 2000; // letters of JSON; a move has twenty
const LONGEST_WORDS = 600;
const ADDED_LINES = 2; // that the browser puts before the text of a function

/** What is told of a match: which one it is, the bot's number in its first game, and how many games it has.
 * @typedef {{id: string, player_number: number, total_games: number}} Match */
/** A bot that `hasHooks` wants to know of the end of a game and of a match.
 * @typedef {{api: "move" | "competitor", name: string, hasHooks: boolean, begin: (match: Match) => unknown,
 *   call: (request: any) => unknown, end: (results: object) => unknown, endMatch: (id: string, results: object) => unknown}} Bot */

const NO_HOOKS = { hasHooks: false, begin: () => {}, end: () => {}, endMatch: () => {} };
const EXPORT = /^([ \t]*)export[ \t]+(default[ \t]+)?/gm;
const IMPORT = /^[ \t]*import\b(?![ \t]*\()[^"'();]*["'][^"'\n]*["'];?/gm;

/** The text as the body of a function, sloppy unless it says otherwise. A module's `export` and an import of the API say
 * nothing there; lines keep their numbers. @param {string} text */
export function asBody(text) {
  return text.replace(EXPORT, "$1").replace(IMPORT, (statement) => statement.replace(/[^\n]/g, ""));
}

/** The classes of a text by their names. Comments speak of classes, too: what is no name is left out. @param {string} text */
function classesIn(text) {
  const found = [...text.matchAll(/\bclass\s+([A-Za-z_$][\w$]*)/g)].map(([, name]) => name);
  return [...new Set(found)].filter((name) => {
    try {
      return Boolean(new Function(`"use strict"; return typeof ${name};`));
    } catch {
      return false;
    }
  });
}

/** Run a text as a CommonJS module; what it exports, its function `move` and its classes.
 * @param {string} text @param {object} console */
function run(text, console) {
  const body = asBody(text);
  const classes = classesIn(body).map((name) => `typeof ${name} === "function" ? ${name} : null`);
  const ending = `\n;return { move: typeof move === "function" ? move : null, classes: [${classes.join(", ")}] };`;
  const module = { exports: {} };
  const given = { console, module, exports: module.exports, require: refuse, ...GIVEN };
  // A function within the function: the text may use these names for something else.
  const code = `return (function () {${body}${ending}}).call(exports);`;
  return { ...new Function(...Object.keys(given), code)(...Object.values(given)), exported: module.exports };
}

/** @param {string} name */
function refuse(name) {
  throw new Error(`require("${name}") isn't possible: a bot is one file and can't load others`);
}

/** @param {string} text @param {string} name of the file, without its ending @param {object} console
 * @returns {Bot} */
export function loadBot(text, name, console) {
  const { move, classes, exported } = run(text, console);
  const kind = [...classes, exported].filter(isCompetitor).pop();
  if (kind) return competitor(kind);
  const make = makerOf(exported);
  if (make) return matchPlayer(make, name);
  if (!move) throw new Error(NO_BOT);
  return { ...NO_HOOKS, api: "move", name, call: ({ data, player }) => move(data, player) };
}

/** What a bot answered, as JSON. @param {unknown} value */
export function asAnswer(value) {
  const text = JSON.stringify(value) ?? "null"; // as undefined, or a function, is told
  if (text.length > LONGEST_ANSWER) throw new Error("it answered far too much");
  return text;
}

/** What went wrong in a bot's text, and in which line of it. @param {any} error
 * @returns {{fault: string, line: number | null}} */
export function asFault(error) {
  const at = /<anonymous>:(\d+)/.exec(String(error?.stack ?? ""));
  const words = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
  return { fault: words.slice(0, LONGEST_WORDS), line: at ? Number(at[1]) - ADDED_LINES : null };
}

/** @param {any} kind */
function isCompetitor(kind) {
  return kind && typeof kind.prototype?.getNextMove === "function" && typeof kind.prototype?.getNextSteal === "function";
}

/** How to make the object that plays, from what a text exports; null if that's no bot. @param {any} exported */
function makerOf(exported) {
  if (typeof exported !== "function") return typeof exported?.move === "function" ? () => exported : null;
  return exported.prototype ? () => made(exported) : () => ({ move: exported });
}

/** What a constructor makes; a function that is none is `move` itself. @param {any} exported */
function made(exported) {
  try {
    const player = new exported();
    if (typeof player.move === "function") return player;
  } catch (error) {
    if (!exported.length) throw error;
  }
  if (!exported.length) throw new Error(NO_BOT);
  return { move: exported };
}

/** The public template: one object plays all games of a match, and may have methods that are called around them.
 * @param {() => any} make @param {string} name @returns {Bot} */
function matchPlayer(make, name) {
  /** @type {Map<string, any>} */ const players = new Map(); // by their matches
  let player = make(); // the first: it's seen at once whether it can play
  let isFree = true;
  const hook = (/** @type {string} */ method, /** @type {object} */ told) => (typeof player[method] === "function" ? player[method](told) : null);
  return {
    api: "move",
    name,
    hasHooks: true,
    begin: async ({ id, player_number, total_games }) => {
      const isNew = !players.has(id);
      if (isNew) players.set(id, isFree ? player : make());
      isFree = false;
      player = players.get(id);
      if (isNew) await hook("start_match", { player_number, total_games, data: {} });
      await hook("start_game", {});
    },
    call: ({ data, player: number }) => player.move(data, number),
    end: (results) => hook("end_game", results),
    endMatch: (id, results) => {
      player = players.get(id) ?? player;
      players.delete(id);
      return hook("end_match", results);
    },
  };
}

/** @param {any} kind @returns {Bot} */
function competitor(kind) {
  let player = new kind();
  return {
    ...NO_HOOKS,
    api: "competitor",
    name: kind.name,
    begin: () => {
      player = new kind();
    },
    call: ({ method, board, mine, theirs }) => {
      const place = player[method](new GameState(board, mine, theirs));
      if (!(place instanceof Position)) throw new Error(`${method} must return a Position`);
      return [place.row, place.col];
    },
  };
}
