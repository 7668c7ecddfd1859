// The options of a game as a form: numbers by a slider that also scrolls, the others by lists.
import { make } from "../page.js";
import { sentence } from "../sentence.js";

/** @typedef {import("../protocol.js").Option} Option */

/** The numbers that an option can be. @param {Option} option */
const numbers = (option) => option.values.filter((value) => typeof value === "number");

export class OptionsForm {
  /** @param {HTMLElement} root @param {() => void} onChange */
  constructor(root, onChange) {
    this.root = root;
    this.onChange = onChange;
    /** @type {Option[]} */ this.options = [];
    /** @type {Record<string, unknown>} */ this.values = {};
  }

  /** @param {Option[]} options @param {Record<string, unknown>} kept */
  show(options, kept) {
    this.options = options;
    this.values = Object.fromEntries(options.map((one) => [one.name, one.values.includes(kept[one.name]) ? kept[one.name] : one.default]));
    this.root.replaceChildren(...options.map((one) => (numbers(one).length ? this.#slider(one) : this.#list(one))));
  }

  get hasNumbers() {
    return this.options.some((one) => numbers(one).length);
  }

  /** Numbers by lot. */
  randomize() {
    for (const option of this.options) {
      const allowed = numbers(option);
      if (allowed.length) this.values[option.name] = allowed[Math.floor(Math.random() * allowed.length)];
    }
    this.show(this.options, this.values);
    this.onChange();
  }

  /** @param {Option} option */
  #slider(option) {
    const allowed = numbers(option);
    const field = make("label", "field slider", sentence(option.summary).slice(0, -1));
    const range = document.createElement("input");
    Object.assign(range, { type: "range", name: option.name, min: "0", max: String(allowed.length - 1), value: String(allowed.indexOf(Number(this.values[option.name]))) });
    const shown = make("output", "", String(this.values[option.name]));
    const set = (/** @type {number} */ at) => {
      range.value = String(at);
      if (this.values[option.name] === allowed[Number(range.value)]) return;
      this.values[option.name] = allowed[Number(range.value)];
      range.setAttribute("aria-valuetext", String(this.values[option.name]));
      shown.textContent = String(this.values[option.name]);
      this.onChange();
    };
    range.setAttribute("aria-valuetext", String(this.values[option.name]));
    range.addEventListener("input", () => set(Number(range.value)));
    field.addEventListener("wheel", (event) => {
      if (!event.deltaY) return;
      event.preventDefault();
      set(Number(range.value) + (event.deltaY < 0 ? 1 : -1));
    }, { passive: false });
    field.append(range, shown);
    return field;
  }

  /** @param {Option} option */
  #list(option) {
    const field = make("label", "field", sentence(option.summary).slice(0, -1));
    const list = document.createElement("select");
    list.name = option.name;
    option.values.forEach((value, at) => list.append(new Option(option.words[at], String(at), false, value === this.values[option.name])));
    list.addEventListener("change", () => {
      this.values[option.name] = option.values[Number(list.value)];
      this.onChange();
    });
    field.append(list);
    return field;
  }
}
