// What people say to each other. Players are heard by players, those who watch by those who watch.
import { input, make, onSend, part } from "../page.js";
import { errorWords } from "../refusal.js";

/** @typedef {import("../protocol.js").ChatLine} ChatLine */

export class ChatPanel {
  /** @param {(text: string) => Promise<unknown>} send fails where it is not heard */
  constructor(send) {
    this.list = part("chat");
    this.heard = new Set(); // what is in the list
    onSend("chat-form", async () => {
      const field = input("chat-text");
      const { value } = field;
      if (!value.trim()) return;
      field.value = "";
      part("chat-refusal").textContent = "";
      try {
        await send(value);
      } catch (error) {
        part("chat-refusal").textContent = errorWords(error);
        field.value ||= value;
      }
    });
  }

  /** The latest of what was said. Only what's new is added, so that nobody hears all of it read aloud again.
   * @param {ChatLine[]} lines */
  fill(lines) {
    lines.forEach((line) => this.add(line));
  }

  /** @param {ChatLine} line */
  add(line) {
    const key = JSON.stringify([line.at, line.name, line.text]);
    if (this.heard.has(key)) return;
    this.heard.add(key);
    const item = make("li");
    item.append(make("b", line.player === null ? "" : `is-${line.player}`, line.name), ` ${line.text}`);
    this.list.append(item);
    const log = part("chat-log");
    log.scrollTop = log.scrollHeight;
  }

  /** @param {boolean} isThere @param {boolean} isPlaying */
  show(isThere, isPlaying) {
    part("chat-panel").hidden = !isThere;
    part("chat-title").textContent = isPlaying ? "Player chat" : "Spectator chat";
  }
}
