// The fields of each event that a page can send. Made by `python -m tools.wire` from the table in
// isolation/web/commands.py: change that, not this.

export interface Commands {
  create: {
    variant: "classic" | "knights" | "isola" | "slider" | "linear";
    options?: object | null;
    opponent?: "friend" | "computer" | "local" | "computers";
    level?: number | null;
    side?: 1 | 2 | "random";
    clock?: { minutes: number; increment?: number } | { days: number } | null;
    public?: boolean;
    position?: object | null;
    second_level?: number | null;
  };
  enter: {
    room: string;
  };
  sync: {
    room: string;
    game: string;
    v: number;
  };
  leave: {
    room: string;
  };
  join: {
    room: string;
  };
  move: {
    game: string;
    ply: number;
    move: string;
    id: string;
  };
  contest: {
    variant: "classic" | "knights" | "isola" | "slider" | "linear";
    options?: object | null;
    seats: Array<{ kind: "computer"; level: number } | { kind: "own"; name: string } | { kind: "open" }>;
    public?: boolean;
    position?: object | null;
  };
  ask: {
    game: string;
    ply: number;
  };
  answer: {
    game: string;
    ply: number;
    api: "move" | "competitor";
    answers: Array<unknown>;
    calls: Array<number>;
    id: string;
  };
  fault: {
    game: string;
    ply: number;
    why: string;
    calls: Array<number>;
  };
  stop: {
    game: string;
  };
  resign: {
    game: string;
  };
  abort: {
    game: string;
  };
  claim: {
    game: string;
    result: "win" | "draw";
  };
  draw: {
    game: string;
    action: "offer" | "accept" | "decline";
  };
  takeback: {
    game: string;
    action: "propose" | "accept" | "decline";
  };
  rematch: {
    game: string;
  };
  chat: {
    room: string;
    text: string;
  };
  rename: {
    name: string;
  };
  lobby: Record<string, never>;
  leave_lobby: Record<string, never>;
  watch: Record<string, never>;
  leave_watch: Record<string, never>;
}
