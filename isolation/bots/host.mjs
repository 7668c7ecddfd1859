// The child process in which a bot in JavaScript runs: the same lines as host.py.
import { readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { Script } from "node:vm";
import { asAnswer, asBody, asFault, loadBot } from "../../static/js/sandbox/load.js";

const path = process.argv[2];
const quiet = new Proxy({}, { get: () => () => {} });
/** @type {any} */ let bot = null;

const requests = {
  load() {
    const text = readFileSync(path, "utf8");
    bot = loadBot(text, basename(path).replace(/\.\w+$/, ""), quiet);
    return { api: bot.api, name: bot.name, hooks: bot.hasHooks };
  },
  async begin({ match }) {
    await bot.begin(match);
    return {};
  },
  move: call,
  competitor: call,
  async end({ results }) {
    await bot.end(results);
    return {};
  },
  async end_match({ match, results }) {
    await bot.endMatch(match, results);
    return {};
  },
};

async function call(request) {
  return { value: JSON.parse(asAnswer(await bot.call(request))) };
}

async function answer(request) {
  try {
    return await requests[request.do](request);
  } catch (error) {
    const { fault, line } = asFault(error);
    const where = line ?? (error instanceof SyntaxError ? badLine() : null);
    return { fault: fault + (where ? ` (${basename(path)}, line ${where})` : "") };
  }
}

/** The line that can't be read: only a script has it in its stack. */
function badLine() {
  try {
    new Script(`(function () {${asBody(readFileSync(path, "utf8"))}\n})`, { filename: "bot" });
    return null;
  } catch (error) {
    return Number(/^bot:(\d+)/.exec(error?.stack ?? "")?.[1]) || null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  writeSync(1, `${JSON.stringify({ ...(await answer(request)), id: request.id })}\n`);
}
