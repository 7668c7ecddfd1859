// How a friend gets here: the link, to copy, to share, and as a QR code for a phone.
import { button, copied, element, input, onPress, part } from "../page.js";

export class InvitePanel {
  constructor() {
    this.address = location.origin + location.pathname;
    input("link").value = this.address;
    button("share").hidden = !navigator.share;
    onPress("copy", async () => {
      if (await copied(this.address)) button("copy").textContent = "Copied";
      else input("link").select(); // no clipboard over plain http: at least it can be copied by hand
    });
    onPress("share", () => void navigator.share({ title: "A game of Isolation", url: this.address }).catch(() => null));
  }

  /** @param {boolean} isThere */
  show(isThere) {
    if (isThere && part("invite").hidden) void this.#drawCode();
    part("invite").hidden = !isThere;
  }

  async #drawCode() {
    const { generate } = await import("/static/vendor/lean-qr.js");
    generate(this.address).toCanvas(element("code", HTMLCanvasElement), { on: [20, 32, 34], off: [255, 250, 240] });
  }
}
