// How a board looks: two layers, the ground below and what stands on it above. Knows no rules.
import { has, place } from "./geometry.js";
import { eased } from "./motion.js";
import { columnName } from "./names.js";

/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {Record<string, string>} Inks */
/** @typedef {{layout: import("./geometry.js").Layout, board: import("../protocol.js").Board, last: number[],
 *   next: Set<number>, chosen: number[], pending: number[] | null, aimed: number | null, toMove: number,
 *   held: {over: number, x: number, y: number} | null,
 *   isSecond: boolean, ghost: number | null, faded: number | null, motion: import("./motion.js").Motion | null, part: number}} Look */

const INKS = [
  "cell", "cell-odd", "cell-edge", "hatch", "hatch-ground", "hole-edge", "ink-soft", "mark", "choice",
  "player-0", "player-1", "player-0-edge", "player-1-edge", "on-player", "surface", "text",
];
const NAMED_FROM = 18; // pixels: smaller cells have no room for their names
const LETTER_FROM = 16;
const ROUND_FROM = 22; // and round corners take twice the time where there are most of them

/** The colours of the page, as they are now. @param {Element} element @returns {Inks} */
export function readInks(element) {
  const style = getComputedStyle(element);
  return Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** @param {Look} look @param {number} cell @param {number} unit */
function square(look, cell, unit) {
  const { x, y } = look.layout.spot(cell);
  const gap = Math.max(0.5, unit * 0.035);
  const depth = Math.min(4, unit * 0.06);
  return { left: x * unit + gap, top: y * unit + gap, size: unit - 2 * gap, depth, round: Math.min(8, unit * 0.14) };
}

/** @param {Pen} pen @param {number} left @param {number} top @param {number} width @param {number} height
 * @param {number} round @param {string} ink */
function block(pen, left, top, width, height, round, ink) {
  pen.beginPath();
  pen.roundRect(left, top, width, height, round);
  pen.fillStyle = ink;
  pen.fill();
}

/** All cells of a board. @param {Look} look */
export function allCells(look) {
  return Array.from({ length: look.board.width * look.board.height }, (_, cell) => cell);
}

/** The tiles, the holes and the names along the edges, of some cells.
 * @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks @param {number[]} cells */
export function paintGround(pen, look, unit, inks, cells) {
  const tiles = cells.filter((cell) => !has(look.board.blocked, cell));
  paintTiles(pen, look, tiles, unit, inks, 1);
  for (const cell of cells) if (has(look.board.blocked, cell)) paintHole(pen, look, cell, unit, inks);
  if (unit >= NAMED_FROM) for (const cell of cells) paintName(pen, look, cell, unit, inks);
}

/** Tiles of one colour are one path: there can be hundreds.
 * @param {Pen} pen @param {Look} look @param {number[]} cells @param {number} unit @param {Inks} inks @param {number} scale */
function paintTiles(pen, look, cells, unit, inks, scale) {
  const isOdd = (/** @type {number} */ cell) => {
    const { x, y } = look.layout.spot(cell);
    return (x + y) % 2 === 1;
  };
  paintSquares(pen, look, cells, unit, inks["cell-edge"], scale, 1);
  paintSquares(pen, look, cells.filter((cell) => !isOdd(cell)), unit, inks.cell, scale, 0);
  paintSquares(pen, look, cells.filter(isOdd), unit, inks["cell-odd"], scale, 0);
}

/** @param {Pen} pen @param {Look} look @param {number[]} cells @param {number} unit @param {string} ink
 * @param {number} scale @param {number} lower 1 for the edge below a tile, 0 for the tile */
function paintSquares(pen, look, cells, unit, ink, scale, lower) {
  pen.fillStyle = ink;
  pen.beginPath();
  for (const cell of cells) {
    const { left, top, size, depth, round } = square(look, cell, unit);
    const inset = (size * (1 - scale)) / 2;
    const box = /** @type {const} */ ([left + inset, top + inset + depth * lower, size * scale, (size - depth) * scale]);
    if (unit < ROUND_FROM) pen.rect(...box);
    else pen.roundRect(...box, round);
  }
  pen.fill();
}

/** A square that is gone: sunk, and hatched. @param {Pen} pen @param {Look} look @param {number} cell @param {number} unit @param {Inks} inks */
function paintHole(pen, look, cell, unit, inks) {
  const { left, top, size, depth, round } = square(look, cell, unit);
  block(pen, left, top, size, size, round, inks["hatch-ground"]);
  pen.save();
  pen.clip();
  pen.strokeStyle = inks.hatch;
  pen.lineWidth = Math.max(1, unit * 0.07);
  pen.beginPath();
  for (let at = -size; at < size; at += Math.max(4, unit * 0.22)) {
    pen.moveTo(left + at, top + size);
    pen.lineTo(left + at + size, top);
  }
  pen.stroke();
  pen.fillStyle = inks["hole-edge"];
  pen.fillRect(left, top, size, depth);
  pen.restore();
}

/** Letters along the lower edge, numbers along the left; in a strip every number.
 * @param {Pen} pen @param {Look} look @param {number} cell @param {number} unit @param {Inks} inks */
function paintName(pen, look, cell, unit, inks) {
  const { x, y } = look.layout.spot(cell);
  const { isStrip, rows } = look.layout;
  const isLeft = x === 0 || isStrip;
  const isLow = y === rows - 1 && !isStrip;
  if (!isLeft && !isLow) return;
  const { column, row } = place(look.board, cell);
  pen.fillStyle = inks["ink-soft"];
  pen.font = `600 ${Math.round(Math.min(12, Math.max(8, unit * 0.17)))}px ${inks.text}`;
  if (isLeft) {
    pen.textAlign = "left";
    pen.textBaseline = "top";
    pen.fillText(isStrip ? String(cell + 1) : String(row + 1), (x + 0.07) * unit, (y + 0.07) * unit);
  }
  if (isLow) {
    pen.textAlign = "right";
    pen.textBaseline = "bottom";
    pen.fillText(columnName(column), (x + 0.92) * unit, (y + 0.9) * unit);
  }
}

/** Marks, targets and pieces. @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks */
export function paintFigures(pen, look, unit, inks) {
  paintMotionGround(pen, look, unit, inks);
  const isPending = look.pending !== null;
  for (const cell of look.last) paintOutline(pen, look, cell, unit, inks.mark, false);
  for (const cell of [...look.chosen, ...(look.pending ?? [])]) paintOutline(pen, look, cell, unit, inks.choice, isPending);
  if (look.aimed !== null) paintAim(pen, look, look.aimed, unit, inks);
  paintTargets(pen, look, unit, inks);
  for (const player of [0, 1]) {
    for (const cell of look.board.pieces[player]) {
      pen.globalAlpha = cell === look.faded ? 0.35 : 1;
      paintPiece(pen, look, player, cell, unit, inks);
    }
  }
  if (look.ghost !== null && look.ghost < look.board.width * look.board.height) {
    pen.globalAlpha = 0.65;
    paintToken(pen, look.board, look.toMove, look.layout.spot(look.ghost), unit, inks);
  }
  pen.globalAlpha = 1;
  paintLeaving(pen, look, unit, inks);
  paintHeld(pen, look, unit, inks);
}

/** A piece under the finger, and the square it would go to. @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks */
function paintHeld(pen, look, unit, inks) {
  if (!look.held) return;
  const { columns, rows } = look.layout;
  const { over, x, y } = look.held;
  if (over >= 0) paintOutline(pen, look, over, unit, inks.choice, false);
  paintToken(pen, look.board, look.toMove, { x: x * columns - 0.5, y: y * rows - 0.5 }, unit, inks);
}

/** A square on its way down: still there, and smaller every moment. @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks */
function paintMotionGround(pen, look, unit, inks) {
  for (const cell of look.motion?.holes ?? []) {
    const left = 1 - eased(look.part);
    pen.globalAlpha = left;
    paintTiles(pen, look, [cell], unit, inks, 0.6 + 0.4 * left);
  }
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {Look} look @param {number} cell @param {number} unit @param {string} ink @param {boolean} isDashed */
function paintOutline(pen, look, cell, unit, ink, isDashed) {
  if (cell >= look.board.width * look.board.height) return;
  const { left, top, size, round } = square(look, cell, unit);
  pen.strokeStyle = ink;
  pen.lineWidth = Math.max(1.5, unit * 0.05);
  pen.setLineDash(isDashed ? [unit * 0.12, unit * 0.08] : []);
  pen.beginPath();
  pen.roundRect(left + 1, top + 1, size - 2, size - 2, round);
  pen.stroke();
  pen.setLineDash([]);
}

/** A cell tapped once, where cells are small: a cross through the whole board leads to it.
 * @param {Pen} pen @param {Look} look @param {number} cell @param {number} unit @param {Inks} inks */
function paintAim(pen, look, cell, unit, inks) {
  const { x, y } = look.layout.spot(cell);
  const { left, top, size, round } = square(look, cell, unit);
  pen.fillStyle = inks.choice;
  pen.globalAlpha = 0.25;
  pen.fillRect(x * unit, 0, unit, look.layout.rows * unit);
  pen.fillRect(0, y * unit, look.layout.columns * unit, unit);
  pen.globalAlpha = 1;
  block(pen, left, top, size, size, round, inks.choice);
}

/** Dots on what can be chosen, outlines around own pieces that can. @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks */
function paintTargets(pen, look, unit, inks) {
  const own = look.isSecond ? [] : look.board.pieces[look.toMove];
  const reach = Math.max(1.5, unit * (look.isSecond ? 0.07 : 0.12));
  pen.fillStyle = inks.choice;
  pen.globalAlpha = look.isSecond ? 0.4 : 0.9;
  pen.beginPath();
  for (const cell of look.next) {
    if (cell >= look.board.width * look.board.height || own.includes(cell)) continue;
    const { x, y } = look.layout.spot(cell);
    pen.moveTo((x + 0.5) * unit + reach, (y + 0.5) * unit);
    pen.arc((x + 0.5) * unit, (y + 0.5) * unit, reach, 0, 7);
  }
  pen.fill();
  pen.globalAlpha = 1;
  for (const cell of own) if (look.next.has(cell)) paintOutline(pen, look, cell, unit, inks.choice, false);
}

/** @param {Pen} pen @param {Look} look @param {number} player @param {number} cell @param {number} unit @param {Inks} inks */
function paintPiece(pen, look, player, cell, unit, inks) {
  const to = look.layout.spot(cell);
  const slide = look.motion?.slides.find((one) => one.player === player && one.to === cell);
  const part = eased(look.part);
  if (slide) {
    const from = look.layout.spot(slide.from);
    paintToken(pen, look.board, player, { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, unit, inks);
  } else if (look.motion?.comes.some((one) => one.player === player && one.cell === cell)) {
    pen.globalAlpha *= part;
    paintToken(pen, look.board, player, { x: to.x, y: to.y - 0.3 * (1 - part) }, unit, inks);
    pen.globalAlpha = 1;
  } else {
    paintToken(pen, look.board, player, to, unit, inks);
  }
}

/** Pieces on their way off the board. @param {Pen} pen @param {Look} look @param {number} unit @param {Inks} inks */
function paintLeaving(pen, look, unit, inks) {
  for (const { player, from } of look.motion?.leaves ?? []) {
    const part = eased(look.part);
    const [at, way] = [look.layout.spot(from), look.layout.way(player)];
    pen.globalAlpha = 1 - part;
    paintToken(pen, look.board, player, { x: at.x + way.x * part, y: at.y + way.y * part }, unit, inks);
  }
  pen.globalAlpha = 1;
}

/** A circle and a diamond: the players differ by shape and letter too.
 * @param {Pen} pen @param {import("../protocol.js").Board} board @param {number} player
 * @param {{x: number, y: number}} at @param {number} unit @param {Inks} inks */
function paintToken(pen, board, player, at, unit, inks) {
  const [x, y] = [(at.x + 0.5) * unit, (at.y + 0.48) * unit];
  const depth = Math.min(3, unit * 0.05);
  paintShape(pen, player, x, y + depth, unit, inks[`player-${player}-edge`]);
  paintShape(pen, player, x, y, unit, inks[`player-${player}`]);
  if (unit < LETTER_FROM) return;
  pen.fillStyle = inks["on-player"];
  pen.font = `700 ${Math.round(unit * 0.36)}px ${inks.text}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(board.symbols[player], x, y + unit * 0.02);
}

/** @param {Pen} pen @param {number} player @param {number} x @param {number} y @param {number} unit @param {string} ink */
function paintShape(pen, player, x, y, unit, ink) {
  pen.fillStyle = ink;
  pen.beginPath();
  if (player === 0) {
    pen.arc(x, y, unit * 0.36, 0, 7);
  } else {
    const [reach, round] = [unit * 0.42, unit * 0.05];
    pen.moveTo(x - reach / 2, y - reach / 2);
    pen.arcTo(x, y - reach, x + reach / 2, y - reach / 2, round);
    pen.arcTo(x + reach, y, x + reach / 2, y + reach / 2, round);
    pen.arcTo(x, y + reach, x - reach / 2, y + reach / 2, round);
    pen.arcTo(x - reach, y, x - reach / 2, y - reach / 2, round);
    pen.closePath();
  }
  pen.fill();
}

/** A picture of a board, to be kept. @param {Look} look @param {Inks} inks @param {number} width */
export function picture(look, inks, width) {
  const margin = Math.round(width * 0.03);
  const unit = (width - 2 * margin) / look.layout.columns;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round(unit * look.layout.rows) + 2 * margin;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser can't draw");
  pen.fillStyle = inks.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.translate(margin, margin);
  paintGround(pen, look, unit, inks, allCells(look));
  paintFigures(pen, look, unit, inks);
  return canvas;
}
