import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sloppyIn } from "../build/commonjs/sloppy.ts";

const sloppy = suite("sources that are otherwise in strict code");

const rows: [source: string, line: number][] = [
  ["with (a) b;", 1],
  ["var a;\na = 010;", 2],
  ["\nleaked = 1;", 2],
  ["for (i in exports);", 1],
  ["function f() { count++ }", 1],
  ["var x; delete x;", 1],
  ["function f(a) { a = 9; return arguments[0] }", 1],
  ["function f(a) { return (() => { a = 9; return arguments[0] })() }", 1],
  ["function f() { return arguments.callee }", 1],
  ["function f() { return f.caller }", 1],
  ["var yield = 1;", 1],
  ["var a;\nvar let_ = 1, static = 2;", 2],
  ["function f(a, a) {}", 1],
  ["eval('var x = 1');", 1],
  ["var root = (function () { return this })();", 1],
  ['function g() { "use strict"; }\nfunction f() { leaked = 1 }', 2],
];
for (const [source, line] of rows)
  sloppy(`is ${source.trim()}`, () => {
    const found = sloppyIn(source);
    assert.ok(found, "nothing was found");
    assert.is(found.line, line, found.what);
  });

const others = [
  "var a = 1; a = 2; module.exports = a; exports.b = function () { return this.c };",
  "'use strict'; leaked = 1;",
  "function f() { 'use strict'; leaked = 1; return this }",
  "class A { m() { leaked = 1; return this } }",
  "function A() { this.a = 1 } A.prototype.m = function () { return this.a };",
  "function f(a) { a = 9; return a }",
  "function f(a, b = 1) { a = 9; return arguments[0] }",
  "function f(a) { return function (b) { a = b } }",
  "function f() { return arguments.length }",
  "try { f() } catch (error) { error = 1 }",
  "var { a, b: [c] } = {}; [a, c] = [1, 2];",
  "this.exported = 1;",
  "not a source",
  "return 1;",
];
for (const source of others) sloppy(`is not ${source}`, () => assert.is(sloppyIn(source), undefined));

sloppy.run();
