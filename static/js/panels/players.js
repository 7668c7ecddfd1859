// The two players beside the board: name, presence, score and clock.
import { sideWords } from "../board/names.js";
import { clockText, isTicking, timeLeft } from "../clocks.js";
import { make, part } from "../page.js";
import { aboutPlayer, playerName } from "../seats.js";

/** @typedef {import("../protocol.js").Snapshot} Snapshot */

const LOW_SECONDS = 20;

export class PlayersPanel {
  constructor() {
    this.cards = [part("player-top"), part("player-bottom")];
    /** @type {Snapshot | null} */ this.state = null;
    this.heardAt = 0; // when the server said what the clocks show
    setInterval(() => this.#tick(), 100);
  }

  /** @param {Snapshot} state @param {number} bottom who sits below @param {number} heardAt */
  show(state, bottom, heardAt) {
    this.state = state;
    this.heardAt = heardAt;
    this.#fill(this.cards[0], state, 1 - bottom);
    this.#fill(this.cards[1], state, bottom);
    const { watchers } = state.presence;
    part("watchers").textContent = watchers ? `${watchers} watching` : "";
    this.#tick();
  }

  /** @param {HTMLElement} card @param {Snapshot} state @param {number} player */
  #fill(card, state, player) {
    const isTaken = state.players[player].taken;
    const token = make("span", `token token-${player}`, state.board.symbols[player]);
    token.setAttribute("aria-hidden", "true");
    const side = make("span", "hidden", `${sideWords(state.board.symbols, player)}:`);
    const name = make("span", "player-name", isTaken ? playerName(state, player) : "Waiting for your opponent …");
    const about = make("span", "player-about", aboutPlayer(state, player));
    const score = make("span", "score", state.games.length > 1 || state.outcome ? points(state.score[player]) : "");
    score.title = "Score in this room";
    if (score.textContent) score.prepend(make("span", "hidden", "Score: "));
    const clock = make("span", "clock");
    clock.dataset.player = String(player);
    clock.setAttribute("role", "timer");
    clock.setAttribute("aria-label", "Time left");
    clock.hidden = !state.left;
    card.replaceChildren(token, side, name, about, score, clock);
    card.classList.toggle("is-to-move", !state.outcome && state.choices !== null && state.to_move === player);
  }

  #tick() {
    const { state } = this;
    if (!state?.left) return;
    for (const card of this.cards) {
      const clock = card.querySelector(".clock");
      if (!(clock instanceof HTMLElement)) continue;
      const player = Number(clock.dataset.player);
      const left = timeLeft(state, player, (performance.now() - this.heardAt) / 1000);
      clock.textContent = clockText(left);
      clock.classList.toggle("is-running", isTicking(state, player));
      clock.classList.toggle("is-low", left < LOW_SECONDS);
    }
  }
}

/** @param {number} score */
function points(score) {
  return Number.isInteger(score) ? String(score) : `${Math.floor(score) || ""}½`;
}
