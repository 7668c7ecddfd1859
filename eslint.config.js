// What a linter can see: mistakes, and what is not used.
import js from "@eslint/js";
import globals from "globals";

export default [
  // The samples are bots: what they are given, and who calls them, is not in their files.
  { ignores: ["static/vendor/", "node_modules/", ".venv/", "instance/", "isolation/bots/samples/"] },
  js.configs.recommended,
  { files: ["static/js/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/js/**/*.js", "**/*.mjs"], languageOptions: { globals: globals.node } },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-implicit-globals": "error" } },
];
