// Imports point down: pages use panels, panels use words, and the board knows none of them.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPTS = join(ROOT, "static/js");

/** The files of a folder and of those in it, from there. @param {string} folder @param {string} end */
const filesOf = (folder, end) => readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(end)).map(normalize);

/** Without comments, whose imports are of types only. @param {string} name */
const codeOf = (name) => readFileSync(join(SCRIPTS, name), "utf8").replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");

/** The modules of ours that a module imports. @param {string} name */
function importsOf(name) {
  const found = codeOf(name).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g);
  return [...found].map(([, path]) => normalize(join(dirname(name), path)));
}

const modules = new Map(filesOf(SCRIPTS, ".js").map((name) => [name, importsOf(name)]));
const pages = filesOf(join(ROOT, "templates"), ".html").flatMap((name) =>
  [...readFileSync(join(ROOT, "templates", name), "utf8").matchAll(/filename='js\/([^']+)'/g)].map(([, script]) => script));

/** A way of imports that ends in a module it came through, or null. @param {string} name @param {string[]} way */
function cycleFrom(name, way = []) {
  if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
  for (const next of modules.get(name) ?? []) {
    const cycle = cycleFrom(next, [...way, name]);
    if (cycle) return cycle;
  }
  return null;
}

/** Every import as [from, to]. */
const imports = [...modules].flatMap(([from, found]) => found.map((to) => [from, to]));

test("every import is of a module that there is", () => {
  assert.ok(imports.length > 50);
  assert.deepEqual(imports.filter(([, to]) => !modules.has(to)), []);
});

test("no imports go round in a circle", () => {
  for (const name of modules.keys()) assert.equal(cycleFrom(name)?.join(" - ") ?? "", "");
});

test("the board and the sandbox need nothing but themselves", () => {
  const out = imports.filter(([from, to]) => ["board", "sandbox"].some((folder) => dirname(from) === folder && dirname(to) !== folder));
  assert.deepEqual(out, []);
});

test("no module imports a page", () => {
  assert.ok(pages.includes("room.js") && pages.includes("controller.js"));
  assert.deepEqual(imports.filter(([, to]) => pages.includes(to)), []);
});

test("panels, and what is above them, are imported by pages only", () => {
  const up = imports.filter(([from, to]) => dirname(to) === "panels" && dirname(from) !== "panels" && !pages.includes(from));
  assert.deepEqual(up, []);
});

test("no module asks what kind of room it is", () => {
  const kinds = '["\'`](?:friend|local|computers|contest)["\'`]'; // a seat of a computer is another thing
  const asks = new RegExp(`\\b(?:state|snapshot)\\.kind\\b|[=!]==?\\s*${kinds}|${kinds}\\s*[=!]==?|case\\s+${kinds}|\\bopponent\\s*[=!]==?|[=!]==?\\s*opponent\\b`);
  assert.ok(["opponent === 1", 'x !== "friend"', "case 'local':", "state.kind"].every((text) => asks.test(text)));
  assert.deepEqual([...modules.keys()].filter((name) => asks.test(codeOf(name))), []);
});
