// The canvases of a board: painted at most once a frame, of the ground only what is another.
import { has } from "./geometry.js";
import { allCells, paintFigures, paintGround, readInks } from "./paint.js";

/** @typedef {import("./paint.js").Look} Look */

const scheme = matchMedia("(prefers-color-scheme: dark)");

export class Layers {
  /** @param {HTMLElement} root @param {() => Look | null} look what to paint, asked when it is painted */
  constructor(root, look) {
    this.root = root;
    this.look = look;
    this.ground = document.createElement("canvas");
    this.figures = document.createElement("canvas");
    this.groundName = ""; // what is painted there already
    this.blocked = "";
    /** @type {import("./paint.js").Inks | null} */ this.inks = null;
    this.isWaiting = false;
    for (const canvas of [this.ground, this.figures]) canvas.setAttribute("aria-hidden", "true");
    root.append(this.ground, this.figures);
    this.recolour = () => {
      this.inks = null;
      this.groundName = "";
      this.paintSoon();
    };
    scheme.addEventListener("change", this.recolour);
  }

  /** The page would hold a board that is taken away, else. */
  end() {
    scheme.removeEventListener("change", this.recolour);
  }

  /** Paint with the next frame. */
  paintSoon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.paint();
    });
  }

  paint() {
    const look = this.look();
    const width = this.root.clientWidth;
    if (!look || !width) return;
    this.inks ??= readInks(this.root);
    const unit = width / look.layout.columns;
    const height = unit * look.layout.rows;
    this.#paintGround(look, width, height);
    paintFigures(this.#pen(this.figures, width, height), look, unit, this.inks);
  }

  /** @param {Look} look @param {number} width @param {number} height */
  #paintGround(look, width, height) {
    if (!this.inks) return;
    const unit = width / look.layout.columns;
    const { blocked } = look.board;
    const name = `${look.layout.name} ${width} ${devicePixelRatio}`;
    if (name !== this.groundName) {
      paintGround(this.#pen(this.ground, width, height), look, unit, this.inks, allCells(look));
    } else if (blocked !== this.blocked) {
      const changed = allCells(look).filter((cell) => has(blocked, cell) !== has(this.blocked, cell));
      const pen = this.ground.getContext("2d");
      for (const cell of changed) {
        const { x, y } = look.layout.spot(cell);
        pen?.clearRect(x * unit, y * unit, unit, unit);
      }
      if (pen) paintGround(pen, look, unit, this.inks, changed);
    }
    this.groundName = name;
    this.blocked = blocked;
  }

  /** A pen over an empty canvas of that size. @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
  #pen(canvas, width, height) {
    const ratio = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser can't draw");
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, wide, high);
    pen.scale(ratio, ratio);
    return pen;
  }
}
