// A bot from its text: a function move(data, player_number), or a class with getNextMove and getNextSteal.
// Runs the text: only ever in a worker inside a sandboxed frame, or in a process of its own.
import { GameState, IPlayer, Position } from "./isola.js";

const GIVEN = { Position, GameState, IPlayer };
const NO_BOT = "there is no bot in this file: it needs a function move(data, player_number), or a class with getNextMove and getNextSteal";

/** @typedef {{api: "move" | "competitor", name: string, begin: () => void, call: (request: any) => unknown}} Bot */

/** @param {string} text @param {string} name of the file, without its ending @param {object} console
 * @returns {Bot} */
export function loadBot(text, name, console) {
  // A module's `export` and an import of the API say nothing here; lines keep their numbers.
  const plain = text.replace(/^(\s*)export\s+(default\s+)?/gm, "$1").replace(/^\s*import\b.*$/gm, "");
  const classes = [...plain.matchAll(/\bclass\s+([A-Za-z_$][\w$]*)/g)].map((found) => found[1]);
  const finds = classes.map((one) => `typeof ${one} === "function" ? ${one} : null`);
  const ending = `\n;return { move: typeof move === "function" ? move : null, classes: [${finds.join(", ")}] };`;
  const found = new Function("console", ...Object.keys(GIVEN), `"use strict";${plain}${ending}`)(console, ...Object.values(GIVEN));
  const kind = found.classes.filter(isCompetitor).pop();
  if (kind) return competitor(kind);
  if (!found.move) throw new Error(NO_BOT);
  return { api: "move", name, begin: () => {}, call: ({ data, player }) => found.move(data, player) };
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
