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
    return JSON.stringify({ api: bot.api, name: bot.name });
  },
  begin() {
    bot.begin();
    return "{}";
  },
  move: timed,
  competitor: timed,
};

function timed(request) {
  const begun = process.hrtime.bigint();
  const value = bot.call(request);
  const ns = process.hrtime.bigint() - begun;
  return `{"value": ${asAnswer(value)}, "ns": ${ns}}`;
}

function answer(request) {
  try {
    return requests[request.do](request);
  } catch (error) {
    const { fault, line } = asFault(error);
    const where = line ?? (error instanceof SyntaxError ? badLine() : null);
    return JSON.stringify({ fault: fault + (where ? ` (line ${where})` : "") });
  }
}

/** The line that can not be read: only a script has it in its stack. */
function badLine() {
  try {
    new Script(`(function () {${asBody(readFileSync(path, "utf8"))}\n})`, { filename: "bot" });
    return null;
  } catch (error) {
    return Number(/^bot:(\d+)/.exec(error?.stack ?? "")?.[1]) || null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  writeSync(1, `${answer(JSON.parse(line))}\n`);
}
