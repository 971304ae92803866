import { suite } from "uvu";
import * as assert from "uvu/assert";
import { makeLazy } from "../build/lazy/lazy.ts";
import type { Resolved } from "../build/lazy/modules.ts";
import { usesOfZod } from "../build/lazy/uses.ts";

const lazy = suite("schemas that are made when they are asked for");

const resolve = (specifier: string): Resolved => {
  if (/^(zod|re-exporter)(\/|$)/.test(specifier))
    return { kind: "zod", specifier: specifier.replace("re-exporter", "zod") };
  if (specifier.startsWith("./")) return { kind: "author", file: specifier.slice(2) };
  return { kind: specifier === "@code-first-agents/tool" ? "runtime" : "other" };
};
const made = (files: Record<string, string>, open: readonly string[] = []) =>
  makeLazy(Object.entries(files).map(([file, code]) => ({ file, code, resolve, isOpen: open.includes(file) })));

const IMPORTS = `import { l1Output, Tool } from "@code-first-agents/tool"; import { z } from "zod";`;
const toolOf = (input: string, head = "", imports = IMPORTS) =>
  `${imports}\n${head}\ntool.subcommand({ name: "a", input: ${input}, output: l1Output({}), handler() {} });`;

const ways: [way: string, input: string, head?: string, imports?: string, other?: string][] = [
  ["written out", "z.object({ a: z.coerce.number().int().min(1).default(5) }).strict()"],
  ["a constant", "page.optional()", "const page = z.object({});"],
  ["a shape", "z.object({ ...page, a: page.limit })", "const page = { limit: z.number() };"],
  [
    "a shape of another file",
    "z.object({ ...page })",
    'import { page } from "./b.ts";',
    IMPORTS,
    'import * as z from "zod"; export const page = { a: z.string() };',
  ],
  ["a helper", "list(z.string())", "const list = (item: z.ZodType) => z.object({ items: item.array() });"],
  [
    "a helper with a body",
    "list(3)",
    "function list(n: number) { const one = z.number().min(n); return z.object({ one }); }",
  ],
  ["an extended one", "base.extend({ b: z.string() }).pick({ b: true })", "const base = z.object({});"],
  [
    "`import * as z`",
    "z.string()",
    "",
    'import { l1Output } from "@code-first-agents/tool"; import * as z from "zod";',
  ],
  ["a default import", "z.string()", "", 'import { l1Output } from "@code-first-agents/tool"; import z from "zod/v4";'],
  ["an alias", "t.string()", "", 'import { l1Output } from "@code-first-agents/tool"; import { z as t } from "zod";'],
  [
    "Zod Mini",
    "z.optional(z.string())",
    "",
    'import { l1Output } from "@code-first-agents/tool"; import * as z from "zod/mini";',
  ],
  [
    "a package that passes Zod on",
    "z.string()",
    "",
    'import { l1Output } from "@code-first-agents/tool"; import { z } from "re-exporter";',
  ],
  [
    "what a helper returns, taken apart",
    "z.object(list(z.string()).shape)",
    "const list = (item: z.ZodType) => z.object({ item });",
  ],
  ["an enum", "z.enum(Level).default(Level.A)", 'enum Level { A = "a", B = "b" }'],
  ["the word locales", "z.string().describe('locales')"],
  ["an import in a comment", "z.string()", '/*\nimport { z } from "zod";\n*/'],
  ["`as const` and `satisfies`", "z.enum(WORDS) satisfies z.ZodType", 'const WORDS = ["a"] as const;'],
  ["a rule that nobody changes", "z.string().refine(rules.check)", "const rules = { check: (v: string) => v !== '' };"],
];
for (const [way, input, head, imports, other] of ways)
  lazy(`${way} is lazy, and Zod with it`, () => {
    const { code, notes } = made({ "tool.ts": toolOf(input, head, imports), ...(other && { "b.ts": other }) });
    assert.equal(notes, []);
    assert.match(code.get("tool.ts") ?? "", /lazySpec\(\{ name: "a", input: \(\) => \(.*, output: \(\) => \(l1Output/);
    const [last = ""] = (code.get("tool.ts") ?? "").split("\n").slice(-1);
    assert.not.match((code.get("tool.ts") ?? "").replace(/\/\*[\s\S]*?\*\//, ""), /from ["'](zod|re-exporter)/);
    assert.match(last, /from "cfa:lazy"/);
    assert.not.match(code.get("b.ts") ?? "", /from "zod"/);
  });

const eager: [why: string, input: string, head?: string][] = [
  [
    "rules may be changed",
    "z.string().refine(rules.check)",
    "const rules = { check: () => true }; function reset(r) { r.check = 1; } reset(rules);",
  ],
  [
    "texts may be changed",
    "z.string().min(3, texts.min)",
    "const texts = { min: 'x' }; export const setLang = () => { texts.min = 'y'; };",
  ],
  ["words may be changed", "z.enum(words)", "const words = ['a']; const alias = words; alias.push('b');"],
  ["it uses limit, which changes", "z.number().max(limit)", "let limit = 1; limit = 2;"],
  [
    "rules may be changed",
    "z.string().refine(rules.ok)",
    "const rules = { ok: () => true, check() { this.ok = 1; } }; rules.check();",
  ],
  ["it uses process", "z.string().default(process.env.X)"],
  ["it calls z.config", "z.config({})"],
  ["it calls z.string().parse", "z.string().parse('a')"],
  ["it calls shapes.pick", "shapes.pick()", "const shapes = { pick: () => z.string() };"],
  ["it has await load()", "await load()"],
  ["it has this", "this"],
  [
    "it calls count",
    "list()",
    "const list = () => { const one = count(); return z.object({}); }; let count = () => 1; count = null;",
  ],
  ["it uses Words.all", "z.enum(Words.all)", "class Words { static all = ['a']; }"],
  ["what follows may have another input", "z.string(), ...rest", "const rest = {};"],
  ["it uses b", "z.object({ b })", "function make(b) { b; }"],
  ["it has new Thing()", "new Thing()", "class Thing {}"],
  ["it uses shared, which comes from elsewhere", "shared", 'import { shared } from "package";'],
];
for (const [why, input, head] of eager)
  lazy(`${input} is made at every start: ${why}`, () => {
    const { notes } = made({ "tool.ts": toolOf(input, head) });
    assert.equal(
      notes.map(({ text }) => text),
      [`the input of "a" is made at every start, because ${why}`],
    );
  });

const uses: [code: string, names: string[] | "all"][] = [
  ['import { z } from "zod"; z.string(); z.object({});', ["string", "object"]],
  ['import * as z from "zod"; export const a = () => z.int();', ["int"]],
  ['import { string as s, ZodError } from "zod"; s();', ["string"]],
  ['import z from "zod"; f(z);', "all"],
  ['export * from "zod";', "all"],
  ['import { z } from "zod"; { const z = 1; f(z); } z.string();', ["string"]],
];
for (const [code, names] of uses)
  lazy(`${code} asks Zod for ${names}`, () =>
    assert.equal(
      usesOfZod(code, "a.ts", (specifier) => specifier === "zod").get("zod"),
      names === "all" ? names : new Set(names),
    ),
  );

lazy.run();
