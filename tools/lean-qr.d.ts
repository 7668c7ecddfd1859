// The types of static/vendor/lean-qr.js: the package declares them under its own name only.
/// <reference path="../node_modules/lean-qr/index.d.ts" />
export * from "lean-qr";
