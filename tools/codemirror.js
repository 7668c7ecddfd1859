// What the workshop needs of CodeMirror; bundled into static/vendor/codemirror.js by isolation/web/assets.py.
export { EditorView, basicSetup } from "codemirror";
export { javascript } from "@codemirror/lang-javascript";
export { indentWithTab } from "@codemirror/commands";
export { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { EditorState } from "@codemirror/state";
export { keymap } from "@codemirror/view";
export { tags } from "@lezer/highlight";
