// Every position of a game, from the first board and what each turn changed.
import { changed } from "./board/geometry.js";

/** @typedef {import("./protocol.js").Positions} Positions */
/** @typedef {{board: import("./protocol.js").Board, last: number[], toMove: number}} Frame */

export class History {
  /** @param {Positions} positions @param {number} toMove who begins */
  constructor(positions, toMove) {
    this.turns = positions.turns;
    this.moves = positions.turns.map((turn) => turn.move);
    /** @type {Frame[]} */ this.frames = [{ board: positions.board, last: [], toMove }];
    for (const turn of positions.turns) {
      const { board } = this.frames[this.frames.length - 1];
      const blocked = changed(board.blocked, turn.block, turn.unblock);
      this.frames.push({
        board: { ...board, pieces: turn.pieces, blocked },
        last: turn.cells,
        toMove: turn.to_move,
      });
    }
  }

  /** Whether a game with these moves has come to its position after `ply` of them by this way.
   * @param {string[]} moves @param {number} ply */
  knows(moves, ply) {
    return ply <= this.moves.length && moves.slice(0, ply).every((move, at) => move === this.moves[at]);
  }
}

/** Where the positions of a game are. @param {string} game */
export const positionsOf = (game) => `/api/games/${game}/positions`;

/** The history of a game, from the server. @param {string} address */
export async function fetchHistory(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("the positions of this game can't be had right now");
  const positions = await answer.json();
  return new History(positions, positions.board.to_move);
}
