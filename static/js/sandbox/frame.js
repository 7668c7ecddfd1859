// Inside the sandboxed frame: starts the worker for the bot, and hands it the port that the page has sent.
// The frame has an origin of its own and may connect to nothing; whatever it starts inherits that.
import { asBody } from "./load.js";

const PROBE_MS = 1000;
// A worker that is a module itself does not start in a frame without an origin; one that imports a module does.
const HOST = `onmessage = ({ ports }) => {
  onmessage = null;
  import(${JSON.stringify(new URL("worker.js", import.meta.url).href)}).then(({ serve }) => serve(ports[0]));
};`;

/** @param {string} text */
function start(text) {
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/** In which line a text can't be read; null if it can. It is not run. @param {string} text
 * @returns {Promise<number | null>} */
function badLine(text) {
  const worker = start(`(function () {${asBody(text)}\n});\npostMessage(0);`);
  return new Promise((resolve) => {
    const end = (/** @type {number | null} */ line) => {
      worker.terminate();
      resolve(line);
    };
    worker.onmessage = () => end(null);
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.lineno || null);
    };
    setTimeout(() => end(null), PROBE_MS);
  });
}

addEventListener("message", async ({ source, data, ports }) => {
  if (source !== parent) return;
  if (data.do === "probe") {
    ports[0].postMessage({ line: await badLine(data.text) });
  } else {
    start(HOST).postMessage(null, [ports[0]]);
  }
});
parent.postMessage("ready", "*");
