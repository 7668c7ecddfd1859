// The child process in which a bot in JavaScript runs: the same lines as host.py.
import { readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { loadBot } from "../../static/js/bots/load.js";

const path = process.argv[2];
const quiet = new Proxy({}, { get: () => () => {} });
/** @type {any} */ let bot = null;

const requests = {
  load() {
    bot = loadBot(readFileSync(path, "utf8"), basename(path).replace(/\.\w+$/, ""), quiet);
    return { api: bot.api, name: bot.name };
  },
  begin() {
    bot.begin();
    return {};
  },
  move: timed,
  competitor: timed,
};

function timed(request) {
  const begun = process.hrtime.bigint();
  const value = bot.call(request);
  return { value: value ?? null, ns: Number(process.hrtime.bigint() - begun) };
}

function answer(request) {
  try {
    return requests[request.do](request);
  } catch (error) {
    const line = /<anonymous>:(\d+)/.exec(error?.stack ?? "");
    return { fault: `${error?.name ?? "Error"}: ${error?.message ?? error}`.slice(0, 600) + (line ? ` (line ${line[1] - 2})` : "") };
  }
}

function told(found) {
  try {
    return JSON.stringify(found);
  } catch (error) {
    return JSON.stringify({ fault: `what it answered can not be told: ${error.message}`.slice(0, 600) });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  writeSync(1, `${told(answer(JSON.parse(line)))}\n`);
}
