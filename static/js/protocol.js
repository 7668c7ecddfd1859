// What server and pages tell each other, as types: docs/protocol.md has it in words.

/** How cells are counted in the game's own text: of cell 0, and what a step adds.
 * @typedef {{words: string, origin: number[], right: number[], up: number[]}} Coordinates */

/** What a board shows. Cells count from 0 at the bottom left, row by row upwards; `blocked` is a bit set.
 * @typedef {{view: string, width: number, height: number, pieces: number[][], blocked: string,
 *   protected: number[], symbols: string[], to_move?: number, coordinates?: Coordinates, off?: number}} Board */

/** What can be chosen: first cells, and what may follow them.
 * @typedef {{first: number[], then: null | "open" | Record<string, number[]>, task: string,
 *   next_task?: string}} Choices */

/** What a turn changes; `verbs` is what was done with each cell, in a word.
 * @typedef {{move: string, cells: number[], verbs: string[], pieces: number[][], block: string, unblock: string,
 *   to_move: number}} Turn */

/** @typedef {{winner: number | null, reason: string, aborted?: boolean, result?: string}} Outcome */

/** @typedef {{kind: string, name: string, level: number | null, level_name: string | null,
 *   taken: boolean, bot: boolean}} Player */

/** @typedef {{players: boolean[], claim_in: (number | null)[], watchers: number}} Presence */

/** What most events change.
 * @typedef {{game: string, v: number, ply: number, to_move: number, players: Player[],
 *   left: number[] | null, running: boolean, draw_offer: number | null, takeback_offer: number | null,
 *   outcome: Outcome | null}} GameState */

/** All of a game and its room, and who we are in it.
 * @typedef {GameState & {room: string, number: number, variant: string, options: Record<string, unknown>,
 *   clock: object | null, board: Board, moves: string, last: number[], choices: Choices | null,
 *   kind: string, public: boolean, score: number[], games: string[], presence: Presence,
 *   rematch_offer: number | null, has_draws: boolean, turns_board: boolean, you: number[]}} Snapshot */

/** @typedef {Turn & {game: string, v: number, ply: number, left: number[] | null, running: boolean,
 *   draw_offer: number | null, takeback_offer: number | null, choices: Choices | null,
 *   outcome: Outcome | null}} Moved */

/** @typedef {{at: number, name: string, text: string, player: number | null}} ChatLine */

/** A game as the lobby lists it; with a board, as the watch page shows it.
 * @typedef {{room: string, variant: string, options: Record<string, unknown>, players: Player[],
 *   ply: number, watchers: number}} Listed */
/** @typedef {Listed & {game: string, board: Board, to_move: number, last: number[],
 *   outcome: Outcome | null}} Miniature */
/** @typedef {{id: string, name: string, games: string[]}} OnlineBot */
/** @typedef {{open: Listed[], live: Listed[], bots: OnlineBot[]}} Lobby */

/** Every position of a game: the first board, and what each turn changed.
 * @typedef {{board: Board, turns_board: boolean, turns: Turn[]}} Positions */

/** @typedef {{name: string, summary: string, default: unknown, values: unknown[], words: string[]}} Option */
/** @typedef {{key: string, title: string, sides: string[], levels: string[], options: Option[]}} Variant */

export {};
