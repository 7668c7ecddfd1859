// What a linter can see: mistakes, and what is not used.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["static/vendor/", "node_modules/", ".venv/"] },
  js.configs.recommended,
  { files: ["static/js/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/js/**/*.js"], languageOptions: { globals: globals.node } },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-implicit-globals": "error" } },
];
