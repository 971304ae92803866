import { parseSync } from "oxc-parser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { mayEvaluate } from "../build/closed/evals.ts";

const evals = suite("sources that may make code of text");

const rows: [source: string, may: boolean][] = [
  ["eval(text)", true],
  ["(0, globalThis.eval)(text)", true],
  ["new Function(text)", true],
  ["const Make = Function; Make(text)", true],
  ["Function ( 'return that' )()", true],
  ["Object.getPrototypeOf(async () => {}).constructor", true],
  ["(async () => {}).constructor(text)", true],
  ["(() => {})['constructor'](text)", true],
  ["new ShadowRealm().evaluate(text)", true],
  ["Function('return this')()", false],
  ["Function.prototype.call(retrieval, evaluate)", false],
  ["value.constructor === Object || value.constructor.name", false],
  ["class Evaluated { constructor(value) { this.value = value; } }", false],
  ["const note = 'eval(text) and new Function(text)'", false],
  ["({ eval: 1, Function: 2 })", false],
  ["globalThis['eval'](text)", true],
  ["value instanceof Function", false],
  ["const isFunction = (value) => typeof value === 'function'", false],
];

for (const [source, may] of rows)
  evals(`${may ? "is" : "is not"} ${source}`, () => assert.is(mayEvaluate(parseSync("a.js", source).program), may));

evals.run();
