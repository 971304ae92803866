import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokensOf } from "../build/rewrite/tokens.ts";

const tokens = suite("the tokens of a source");

const texts: [source: string, tokens: string[]][] = [
  ["a / b / c", ["a", "/", "b", "/", "c"]],
  ["a = /b/g / c", ["a", "=", "/b/g", "/", "c"]],
  ["if (a) /b[/]/.test(c)", ["if", "(", "a", ")", "/b[/]/", ".", "test", "(", "c", ")"]],
  ["f(a) / b", ["f", "(", "a", ")", "/", "b"]],
  [`\`a\${\`b\${c}\`}d\` // e`, ["`a${", "`b${", "c", "}`", "}d`"]],
  ["`\\`$${{}}` /* ` */", ["`\\`$${", "{", "}", "}`"]],
  ["'\\'' + \"'\"", ["'\\''", "+", '"\'"']],
  ["a?.b ?? .5e-3 ? 1 : c?.[0]", ["a", "?.", "b", "??", ".5e-3", "?", "1", ":", "c", "?.", "[", "0", "]"]],
  ["#!/usr/bin/env bun\n@x class { #a = 1n }", ["@x", "class", "{", "#a", "=", "1n", "}"]],
  ["a => b >= c === d", ["a", "=>", "b", ">=", "c", "===", "d"]],
];
for (const [source, expected] of texts)
  tokens(`of ${JSON.stringify(source)}`, () =>
    assert.equal(
      tokensOf(source)?.map(({ text }) => text),
      expected,
    ),
  );

tokens.run();
