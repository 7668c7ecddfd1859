// The worker in which a bot runs, with one port to the page and nothing else. The bot is in the same world and could
// find the port: so the page believes nothing that comes through it, and the limits here are only for good manners.
import { asAnswer, asFault, loadBot } from "./load.js";

const MOST_LINES = 100; // of the console for each request
const LONGEST_LINE = 400;
/** @type {MessagePort | null} */ let page = null;
/** @type {import("./load.js").Bot | null} */ let bot = null;
let lines = 0;

/** @param {unknown} value */
function shown(value) {
  if (typeof value === "string") return value;
  try {
    return value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value));
  } catch {
    return String(value);
  }
}

/** Told at once: a bot that never ends has said something, too. @param {unknown[]} values */
function write(...values) {
  lines += 1;
  if (lines > MOST_LINES) return;
  const line = lines === MOST_LINES ? "… and more" : values.map(shown).join(" ").slice(0, LONGEST_LINE);
  page?.postMessage({ line });
}
const written = { log: write, info: write, warn: write, error: write, debug: write };

/** @type {Record<string, (request: any) => Promise<object>>} */
const requests = {
  async load({ text, name }) {
    bot = loadBot(text, name, written);
    return { api: bot.api, name: bot.name, hasHooks: bot.hasHooks };
  },
  async begin({ match }) {
    await bot?.begin(match);
    return {};
  },
  async call({ request }) {
    return { json: asAnswer(await bot?.call(request)) };
  },
  async end({ id, results, matchResults }) {
    await bot?.end(results);
    await bot?.endMatch(id, matchResults);
    return {};
  },
};

/** Answer what comes through a port, one request after the other. @param {MessagePort} port */
export function serve(port) {
  page = port;
  port.onmessage = async ({ data }) => {
    lines = 0;
    let answer;
    try {
      answer = await requests[data.do](data);
    } catch (error) {
      answer = { ...asFault(error), isSyntax: error instanceof SyntaxError };
    }
    port.postMessage({ id: data.id, ...answer });
  };
}
