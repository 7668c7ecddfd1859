// What people say to each other. Players are heard by players, those who watch by those who watch.
import { input, make, onSend, part } from "../page.js";
import { errorWords } from "../words.js";

/** @typedef {import("../protocol.js").ChatLine} ChatLine */

export class ChatPanel {
  /** @param {(text: string) => Promise<unknown>} send fails where it is not heard */
  constructor(send) {
    this.list = part("chat");
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

  /** @param {ChatLine[]} lines */
  fill(lines) {
    // Who reads with the ears hears what is new, not all of it again.
    const known = this.list.children.length;
    lines.slice(lines.length >= known ? known : 0).forEach((line) => this.add(line));
  }

  /** @param {ChatLine} line */
  add(line) {
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
