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
  ["function f(a) { arguments[0] = 9; return a }", 1],
  ["function f(a) { return [].shift.call(arguments) + a }", 1],
  ["var a = function f() { f = 1 };", 1],
  ["undefined = 1;", 1],
  ["var await = 1;", 1],
  ["'use strict';\nvar await = 1;", 2],
  ["var a;\n<!-- a", 2],
  ["var o = Object.freeze({ a: 1 });\no.a = 2;", 2],
  ["function f() { exports.a = 1 }\nObject.freeze(exports);", 1],
  ["Object.defineProperty(exports, 'a', { value: 1 });\nexports.a = 2;", 2],
  ["var o = Object.defineProperty({}, 'a', {});\ndelete o.a;", 2],
  ["var o = { get a() { return 1 } };\no.a = 2;", 2],
  ["f();\nif (true) { function f() {} }", 2],
  ["if (typeof window === 'object') 1; else (function () { return this })();", 1],
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
  "/* a */ // b\n'use strict'; leaked = 1;",
  "function f(a) { if (arguments.length < 2) a = {}; return a }",
  "function f(a) { a = a || {}; return arguments[1] }",
  "function f(o) { return o.caller + o.arguments }",
  "f(function (f) { f.caller })",
  "var e = eval; e('var x = 1');",
  "(0, eval)('var x = 1');",
  "eval('require')('fs');",
  "exports.a = 1; Object.freeze(exports);",
  "Object.defineProperty(exports, '__esModule', { value: true }); exports.a = 1;",
  "Object.defineProperty(exports, 'a', { value: 1, writable: true }); exports.a = 2;",
  "function f(e) { Object.freeze(e) } function g(e) { e.a = 1 }",
  "var o = { get a() { return 1 }, set a(to) {} }; o.a = 2;",
  "if (a) { function f() {} f() } else { function f() {} f() }",
  "if (a) { function f() {} f() } g(function (f) { return f.f });",
  "(function () { var f = (this && this.__awaiter) || 1; return f })();",
  "(function () { return typeof self < 'u' ? self : this || {} })();",
  "(function () { if (typeof module !== 'undefined') return 1; else return this })();",
  "return 1;",
];
for (const source of others) sloppy(`is not ${source}`, () => assert.is(sloppyIn(source), undefined));

sloppy.run();
