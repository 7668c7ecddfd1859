// What server and pages tell each other, as types: docs/protocol.md has it in words.

/** How cells are counted in the game's own text: of cell 0, and what a step adds.
 * @typedef {{words: string, origin: number[], right: number[], up: number[]}} Coordinates */

/** What a board shows. Cells count from 0 at the bottom left, row by row upwards; `blocked` is a bit set.
 * @typedef {{view: string, width: number, height: number, pieces: number[][], blocked: string,
 *   protected: number[], symbols: string[], to_move?: number, coordinates?: Coordinates, off?: number}} Board */

/** What can be chosen: first cells, and what may follow them. `verb`, `next_verb` and `piece` are codes: tasks.js has words.
 * @typedef {{first: number[], then: null | "open" | Record<string, number[]>, verb: string, next_verb?: string,
 *   piece?: string}} Choices */

/** What a turn changes; `verbs` is what was done with each cell, in codes.
 * @typedef {{move: string, cells: number[], verbs: string[], pieces: number[][], block: string, unblock: string,
 *   to_move: number}} Turn */

/** How a game ended: `reason` is a code, `player` whom it is about, `detail` free text where a code isn't all of it.
 * @typedef {{winner: number | null, reason: string, player: number | null, detail: string, message?: string,
 *   aborted?: boolean, result?: string}} Outcome */

/** @typedef {{kind: string, name: string, level: number | null, level_name: string | null,
 *   taken: boolean, bot: boolean}} Player */

/** @typedef {{players: boolean[], claim_in: (number | null)[], watchers: number}} Presence */

/** What is allowed in a kind of room. At `one_screen` both players sit together, and have numbers instead of names.
 * @typedef {{takeback: boolean, draw: boolean, rematch: boolean, player_chat: boolean, spectator_chat: boolean,
 *   one_screen: boolean}} Features */

/** What most events change; `asked` is the ply that a contest was asked to play, `since` the version that a `state` follows.
 * @typedef {{room?: string, game: string, v: number, since?: number, ply: number, to_move: number, players: Player[],
 *   left: number[] | null, running: boolean, draw_offer: number | null, takeback_offer: number | null,
 *   rematch_offer: number | null, asked?: number | null, score?: number[], outcome: Outcome | null}} GameState */

/** All of a game and its room, and who we are in it.
 * @typedef {GameState & {room: string, number: number, variant: string, options: Record<string, unknown>,
 *   clock: object | null, board: Board, moves: string, last: number[], choices: Choices | null,
 *   features: Features, public: boolean, score: number[], games: string[], presence: Presence,
 *   has_draws: boolean, turns_board: boolean, you: number[], directs?: boolean}} Snapshot */

/** A turn that was made; the last one of a game has its outcome and the score.
 * @typedef {Turn & {room?: string, game: string, v: number, ply: number, left: number[] | null, running: boolean,
 *   draw_offer: number | null, takeback_offer: number | null, choices: Choices | null,
 *   outcome: Outcome | null, score?: number[], calls?: number[], fault?: string}} Moved */

/** Something that was told about a game. @typedef {{event: string, payload: any}} Told */

/** What `sync` answers: what a client has missed, or all of the game where that's too much. `left` and `running` are
 * the clocks right now: what was missed has them as they were.
 * @typedef {{v: number, presence: Presence, missed?: Told[], snapshot?: Snapshot, left?: number[] | null,
 *   running?: boolean}} Synced */

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
/** @typedef {import("./commands.js").Commands["create"]["variant"]} VariantKey */
/** What a form for a room of some kind asks for: how many levels, a name, and so on. Everyone may join or watch it, if it's
 * public; `is_public` is the default.
 * @typedef {{key: NonNullable<import("./commands.js").Commands["create"]["opponent"]>, levels: number, name: boolean,
 *   side: boolean, clock: boolean, public: "join" | "watch" | null, is_public: boolean}} Form */
/** @typedef {{key: VariantKey, title: string, sides: string[], levels: string[], options: Option[]}} Variant */

export {};
