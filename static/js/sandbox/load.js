// A bot from its text: a function move(data, player_number), or a class with getNextMove and getNextSteal.
// Runs the text: only ever in a worker inside a sandboxed frame, or in a process of its own.
import { GameState, IPlayer, Position } from "./isola.js";

const GIVEN = { Position, GameState, IPlayer };
const NO_BOT = "there is no bot in this file: it needs a function move(data, player_number), or a class with getNextMove and getNextSteal";
const LONGEST_ANSWER = 2000; // letters of JSON; a move has twenty
const LONGEST_WORDS = 600;
const ADDED_LINES = 2; // that the browser puts before the text of a function

/** @typedef {{api: "move" | "competitor", name: string, begin: () => void, call: (request: any) => unknown}} Bot */

const EXPORT = /^([ \t]*)export[ \t]+(default[ \t]+)?/gm;
const IMPORT = /^[ \t]*import\b(?![ \t]*\()[^"'();]*["'][^"'\n]*["'];?/gm;

/** The text as the body of a function. A module's `export` and an import of the API say nothing there; lines
 * keep their numbers. @param {string} text */
export function asBody(text) {
  const plain = text.replace(EXPORT, "$1").replace(IMPORT, (found) => found.replace(/[^\n]/g, ""));
  return `"use strict";${plain}`;
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

/** @param {string} text @param {string} name of the file, without its ending @param {object} console
 * @returns {Bot} */
export function loadBot(text, name, console) {
  const body = asBody(text);
  const finds = classesIn(body).map((one) => `typeof ${one} === "function" ? ${one} : null`);
  const ending = `\n;return { move: typeof move === "function" ? move : null, classes: [${finds.join(", ")}] };`;
  const found = new Function("console", ...Object.keys(GIVEN), body + ending)(console, ...Object.values(GIVEN));
  const kind = found.classes.filter(isCompetitor).pop();
  if (kind) return competitor(kind);
  if (!found.move) throw new Error(NO_BOT);
  return { api: "move", name, begin: () => {}, call: ({ data, player }) => found.move(data, player) };
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

/** @param {any} kind @returns {Bot} */
function competitor(kind) {
  let player = new kind();
  return {
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
