// Bot files on the visitor's disk: opened, read again, saved.
import { link } from "../page.js";
import { LONGEST } from "./library.js";

/** @typedef {{name: string, text: string, handle: any}} BotFile */

const KINDS = [{ description: "Bots in JavaScript", accept: { "text/javascript": [".js", ".mjs"] } }];

/** Let the visitor choose a file; null if none was chosen. @returns {Promise<BotFile | null>} */
export async function openFile() {
  const picker = /** @type {any} */ (window).showOpenFilePicker;
  if (!picker) return choose();
  try {
    const [handle] = await picker({ types: KINDS });
    return await read(await handle.getFile(), handle);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}

/** The file as it is now. Where the browser has no way to look again, it is chosen again. @param {BotFile} file */
export async function reloadFile(file) {
  return file.handle ? read(await file.handle.getFile(), file.handle) : choose();
}

/** @returns {Promise<BotFile | null>} */
function choose() {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = ".js,.mjs,text/javascript";
  return new Promise((resolve, reject) => {
    field.addEventListener("change", () => {
      const file = field.files?.[0];
      if (file) read(file, null).then(resolve, reject);
      else resolve(null);
    });
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}

/** @param {File} file @param {any} handle @returns {Promise<BotFile>} */
async function read(file, handle) {
  if (!/\.m?js$/.test(file.name)) throw new Error(`${file.name} is no bot in JavaScript: such files end in .js`);
  if (file.size > LONGEST) throw new Error(`${file.name} is too large: ${LONGEST.toLocaleString("en")} letters at the most`);
  return { name: file.name.replace(/\.m?js$/, ""), text: await file.text(), handle };
}

/** Save a text as a file. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const made = link(address, "");
  made.download = `${name.replace(/[^\w-]+/g, "_")}.js`;
  made.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
