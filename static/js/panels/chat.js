// What people say to each other. Players are heard by players, those who watch by those who watch.
import { input, make, onSend, part } from "../page.js";

/** @typedef {import("../protocol.js").ChatLine} ChatLine */

export class ChatPanel {
  /** @param {(text: string) => Promise<boolean>} send whether it was heard */
  constructor(send) {
    this.list = part("chat");
    onSend("chat-form", async () => {
      const field = input("chat-text");
      if (field.value.trim() && (await send(field.value))) field.value = "";
    });
  }

  /** @param {ChatLine[]} lines */
  fill(lines) {
    this.list.replaceChildren();
    lines.forEach((line) => this.add(line));
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
    part("chat-title").textContent = isPlaying ? "Chat of the players" : "Chat of those who watch";
  }
}
