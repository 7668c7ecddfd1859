// The code editor: CodeMirror, in a shadow root of its own, where its styles need no leave of the page's policy.
import {
  EditorState, EditorView, HighlightStyle, basicSetup, indentUnit, indentWithTab, javascript, keymap, lintGutter, setDiagnostics,
  syntaxHighlighting, tags,
} from "/static/vendor/codemirror.js";

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--ground)", color: "var(--ink)", fontSize: "0.9rem" },
  "&.cm-focused": { outline: "3px solid var(--player-1)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', Menlo, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--cell) 45%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--cell-edge)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
  // Drawn with text: the pictures that come with it are against the policy of the page.
  ".cm-lint-marker-error": { content: "'●'", color: "var(--player-1)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--player-1)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--cell)", color: "var(--ink)", border: "0" },
});
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "700" },
]);

export class Editor {
  /** @param {HTMLElement} host @param {() => void} onChange called when the text was changed by hand */
  constructor(host, onChange) {
    this.onChange = onChange;
    const root = host.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    place.style.height = "100%";
    root.append(place);
    this.view = new EditorView({ parent: place, root, state: this.#state("") });
  }

  /** @param {string} text */
  #state(text) {
    return EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        javascript(),
        indentUnit.of("  "),
        keymap.of([indentWithTab]),
        lintGutter(),
        EditorView.lineWrapping,
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({ "aria-label": "The bot's code", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && this.onChange()),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Another text, with a history of its own. @param {string} text */
  open(text) {
    this.view.setState(this.#state(text));
  }

  /** Mark a line as wrong; none where the line is null. @param {number | null} line @param {string} message */
  mark(line, message = "") {
    const { doc } = this.view.state;
    const found = line === null ? null : doc.line(Math.min(Math.max(1, line), doc.lines));
    const marks = found ? [{ from: found.from, to: found.to, severity: /** @type {const} */ ("error"), message }] : [];
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    if (found) this.view.dispatch({ effects: EditorView.scrollIntoView(found.from, { y: "center" }) });
  }
}
