import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Lates } from "../build/rewrite/late.ts";
import { Namespaces } from "../build/rewrite/namespaces.ts";
import { run } from "./harness.ts";
import { cfa, folderWith, steady, stepsTo } from "./project.ts";

const late = suite("subcommands that are made when they are called");

const IMPORTS = `import { l1Output, Tool } from "@code-first-agents/tool";
import * as z from "zod";
import { Shared } from "./shared.ts";`;

/** A source around the fields of one spec. */
const sourceWith = (fields: string, head = "") =>
  `${IMPORTS}\n${head}\nconst tool = new Tool({ name: "t", description: "d" });\ntool.subcommand({ name: "show", ${fields} });\n`;

const pure: [fields: string, rewritten: string, head?: string, rewrittenHead?: string][] = [
  [
    "input: z.object({ a: z.coerce.number().int().min(1).default(5) }).strict(), output: l1Output({})",
    "get input() { const z = __cfa_get_z(); return (z.object({ a: z.coerce.number().int().min(1).default(5) }).strict()); }, get output() { return (l1Output({})); }",
  ],
  [
    "input, output: l1Output({ ...fields, when: Shared.optional() })",
    "get input() { const input = __cfa_get_input(); return (input); }, get output() { return (l1Output({ ...fields, when: Shared.optional() })); }",
    "const input = z.object({}); const fields = { a: z.string() };",
    "const __cfa_get_input = __cfa_const(() => { const z = __cfa_get_z(); return (z.object({})); }), input = /* @__PURE__ */ __cfa_get_input(); const fields = { a: z.string() };",
  ],
  [
    `input: z.object({ a: z.enum(LEVELS as [string, ...string[]]).describe(\`one of \${LEVELS.join()}\`) })`,
    `get input() { const z = __cfa_get_z(); return (z.object({ a: z.enum(LEVELS as [string, ...string[]]).describe(\`one of \${LEVELS.join()}\`) })); }`,
    'const LEVELS = ["a"] as const;',
  ],
  [
    "input: z.object({ a: z.custom<Date>((v) => make(v)), b: z.string().refine(check) })",
    "get input() { const z = __cfa_get_z(); return (z.object({ a: z.custom<Date>((v) => make(v)), b: z.string().refine(check) })); }",
    "function check() { return true }",
  ],
  [
    "input: z.object({ get a() { return make() }, b: z.lazy(() => make()) }), handler: async ({ a }: { a: string }): Promise<{ message: string }> => { return make() }",
    "get input() { const z = __cfa_get_z(); return (z.object({ get a() { return make() }, b: z.lazy(() => make()) })); }, handler: async ({ a }: { a: string }): Promise<{ message: string }> => { return make() }",
  ],
  [
    "async handler({ a = make() }) { return new Date() }, 'input': z.object({})",
    "async handler({ a = make() }) { return new Date() }, 'input': z.object({})",
  ],
  [
    "handler: function named(x) { return this }, input: z.enum(Object.values(Levels)).array()",
    "handler: function named(x) { return this }, get input() { const z = __cfa_get_z(); return (z.enum(Object.values(Levels)).array()); }",
    "enum Levels { A = 'a' }",
  ],
  [
    "input: z.object({ a: z.string().regex(/[/}]/) }).transform((v) => ({ ...v, b: v.a ? 1 : 2 })) // why\n",
    "get input() { const z = __cfa_get_z(); return (z.object({ a: z.string().regex(/[/}]/) }).transform((v) => ({ ...v, b: v.a ? 1 : 2 }))); } // why\n",
  ],
  [
    "input: z.string()!, output: z.object({}) satisfies z.ZodType",
    "get input() { const z = __cfa_get_z(); return (z.string()!); }, get output() { const z = __cfa_get_z(); return (z.object({}) satisfies z.ZodType); }",
  ],
  [
    "input: of(z).pipe(two)",
    "get input() { const of = __cfa_get_of(), two = __cfa_get_two(); return (of(z).pipe(two)); }",
    'import { of } from "zod/v4"; const two = z.string()\nlet three = two;',
    'import { of } from "zod/v4"; const __cfa_get_two = __cfa_const(() => { const z = __cfa_get_z(); return (z.string()); }), two = /* @__PURE__ */ __cfa_get_two()\nlet three = two;',
  ],
  [
    "input:\n  // why\n  z.string(), output: // what\n l1Output({})",
    "get input() { const z = __cfa_get_z(); return (\n\nz.string()); }, get output() { return (\nl1Output({})); }",
  ],
  [
    "input: z.enum(words.all)",
    "get input() { const z = __cfa_get_z(); return (z.enum(words.all)); }",
    "const words = { all: ['a'] }; words.all.includes('b'); words.all[0] === 'b'; words?.all;",
  ],
  ["input: Shared", "input: Shared", "const Shared2: z.ZodType = z.string();"],
  [
    "input: one, output: two",
    "get input() { const one = __cfa_get_one(); return (one); }, get output() { const two = __cfa_get_two(); return (two); }",
    `const one: z.ZodType<{
  a: string }> = z.object({
  one: z.string() })
export const two = one.optional();
const three = z.string(), four = z.string();`,
    `const __cfa_get_one = __cfa_const(() => { const z = __cfa_get_z(); return (z.object({
  one: z.string() })); }), one: z.ZodType<{
  a: string }> = /* @__PURE__ */ __cfa_get_one()
export const __cfa_get_two = __cfa_const(() => { const one = __cfa_get_one(); return (one.optional()); }), two = /* @__PURE__ */ __cfa_get_two();
const three = z.string(), four = z.string();`,
  ],
];
for (const [fields, rewritten, head, rewrittenHead = head] of pure) {
  late(`late is ${fields}`, () => {
    const lates = new Lates();
    const source = sourceWith(fields, head);
    const line = source.slice(0, source.indexOf('{ name: "show"')).split("\n").length;
    const made = sourceWith(rewritten, rewrittenHead).replace(
      /(\{ name: "show".*\})\);/s,
      '__cfa_late(0, "show", () => ($1)));',
    );
    const [text, imports] = lates.wrapIn(source, "tool.ts").split(/\n(?=.*$)/);
    assert.is(text?.trimEnd(), made.trimEnd());
    assert.match(imports ?? "", /^import { late as __cfa_late, lateConst as __cfa_const } from "cfa:late";/);
    assert.equal(
      lates.places.map(({ saysAll: _, ...place }) => place),
      [{ file: "tool.ts", line, name: "show" }],
    );
    assert.equal(lates.refusals, []);
  });
}

late("an import of Zod over several lines keeps them", () => {
  const source = 'import {\n  type ZodType,\n  z,\n} from "zod";\nz.string();';
  const expected = 'import * as z from "zod?0"; import { type ZodType } from "zod";\n\n\n\nz.string();';
  assert.is(new Namespaces().importIn(source), expected);
});

const impure: [why: string, fields: string, head?: string][] = [
  ["it calls make", "input: make()", "const make = () => z.string();"],
  ["it calls make", "input: z.object({ a: make`x` })", "const make = () => z.string();"],
  ["it uses list", "input: list.add(z.string())", "const list = registry;"],
  ["it calls list.map", "input: z.enum(list.map((v) => v))", "const list = [];"],
  ["it calls z.config", "input: z.config({})"],
  ["it calls z.string.parse", "input: z.string().parse('a')"],
  ["it calls z.string.register", "input: z.string().register(list)", "const list = z.registry();"],
  ["it calls Object.assign", "input: Object.assign(Shared, {})"],
  ["it uses limit", "input: z.number().max(limit)", "let limit = 5;"],
  ["it uses words", "input: z.enum(words)", "const words = ['a']; function add(word) { words.push(word) }"],
  ["it uses words", "input: z.enum(words)", "const words = ['a']; words[0] = 'b';"],
  ["it uses words", "input: z.enum(words.all)", "const words = { all: ['a'] }; words.all = ['b'];"],
  ...[
    "words.all.push('b')",
    "words?.all.push('b')",
    "words['all'].push('b')",
    "words?.['all'].push('b')",
    "words.all[0] = 'b'",
    "words.n <<= 1",
    "words.n >>>= 1",
    "++words.n",
    "words.n++",
    "delete words.all",
    "Object.assign(words, {})",
    "Object.defineProperty(words, 'all', {})",
  ].map((change): [string, string, string] => [
    "it uses words",
    "input: z.enum(words.all)",
    `const words = { all: ['a'], n: 1 }; const change = () => { ${change}; };`,
  ]),
  ["it uses process", "input: z.literal(process.pid)", "const list = ['a'] as const\nprocess.title;"],
  ["it uses limit", "input: z.number().max(limit)", "for (const limit of [1]) { } { var limit = 2 }"],
  ["it uses unknown", "input: z.object(unknown)"],
  ["it uses ?", "input: cond ? z.string() : z.number()", "const cond = true;"],
  ["it uses new", "input: new Thing()", "class Thing {}"],
  ["it uses await", "input: await Shared"],
  ["it uses this", "input: this"],
  ["it uses Shared", "input: (Shared.x = z.string())"],
  ["it uses Shared", "input: z.literal(Shared.x++)"],
  ["its name is no plain text", "input: z.string(), name: NAME", "const NAME = 'x';"],
];
for (const [why, fields, head] of impure) {
  late(`not late is ${fields}: ${why}`, () => {
    const lates = new Lates();
    const source = sourceWith(fields, head).replace(fields.includes("NAME") ? 'name: "show", ' : "\0", "");
    const line = source.slice(0, source.indexOf("tool.subcommand(")).split("\n").length;
    assert.is(lates.wrapIn(source, "tool.ts"), source);
    const refusals = [`tool.ts:${line}: the subcommand is made at every start, because ${why}`];
    assert.equal(lates, Object.assign(new Lates(), { refusals }));
  });
}

const others: [what: string, source: string][] = [
  ["a spec from elsewhere", `${IMPORTS}\ntool.subcommand(spec);`],
  ["a spec with something beside", `${IMPORTS}\ntool.subcommand({ name: "a", input: Shared }, 1);`],
  ["a text in which there is one", `${IMPORTS}\nconst text = \`tool.subcommand({ name: "a", input: z.string() })\`;`],
  ["a comment in which there is one", `${IMPORTS}\n// tool.subcommand({ name: "a", input: z.string() })`],
  ["a pattern in which there is one", `${IMPORTS}\nconst pattern = /tool.subcommand({ name: "a" })/;`],
  ["a file that looks into Zod's registry", `${sourceWith("input: z.string()")}z.globalRegistry.get(x);`],
  ["a file that is no module", sourceWith("input: z.string()").replace(IMPORTS, 'const z = require("zod");')],
  ["what cannot be read for certain", `${sourceWith("input: z.string()")}{} /tool/.test("x");`],
  ["brackets without a partner", `${sourceWith("input: z.string()")})`],
];
for (const [what, source] of others)
  late(`${what} stays as it is`, () => assert.is(new Lates().wrapIn(source, "tool.ts"), source));

const head = `import { l1Output, Tool } from "@code-first-agents/tool";
import { z } from "zod";
const tool = new Tool({ name: "t", description: "d" });`;
const zodNote = (names: string) =>
  `Zod is loaded by a call of ${names}: the schemas are more than plain data, or not written out in one place\n`;

const counting = (count: string) => `${head}
let made = 0;
const counted = { get n() { made += 1; return z.number().default(${count}); } };
${["one", "two", "three"]
  .map(
    (name) => `tool.subcommand({
  name: "${name}",
  description: "d",
  input: z.object({ ...counted }),
  output: l1Output({ made: z.number() }),
  handler: () => ({ message: "${name}", made }),
});`,
  )
  .join("\n")}
tool.run();
`;
const asOnce = "tool.ts: made late, its schemas would be others, so that all of them are made at every start\n";

const built: [what: string, source: string, notes: string, made: number][] = [
  ["makes the schemas of the one that is called", counting("1"), "", 1],
  ["makes all where it shows when each is made", counting("made"), asOnce, 3],
];
for (const [what, source, notes, made] of built) {
  late(`an executable ${what}`, async () => {
    const folder = folderWith({ "tool.ts": source });
    const ran = steady(await cfa(folder, ["build", "tool.ts", "--verbose"]));
    const told = `${stepsTo()}${notes}${zodNote('"one", "two", "three"')}SIZE in TIME\n`;
    assert.equal(ran, { stdout: "./tool\n", stderr: told, code: 0 });
    const stdout = `${JSON.stringify({ ok: true, message: "two", made })}\n`;
    assert.equal(await run(`${folder}/tool`, ["two"]), { stdout, stderr: "", code: 0 });
  });
}

const mutating = `${head}
const words = ["a"];
const word = z.enum(words as [string, ...string[]]);
const alias = words;
alias.push("b");
tool.subcommand({ name: "say", description: "d", input: z.object({ word }), output: l1Output({}), handler: () => ({ message: "said" }) });
tool.run();
`;

late("a constant is made where it stands where it shows when it is made", async () => {
  const folder = folderWith({ "tool.ts": mutating });
  const ran = steady(await cfa(folder, ["build", "tool.ts", "--verbose"]));
  assert.equal(ran.stderr, `${stepsTo()}${asOnce}${zodNote('"say"')}SIZE in TIME\n`);
  const { stdout } = await run(`${folder}/tool`, ["say", "--word", "b"]);
  assert.is(JSON.parse(stdout).detail, 'word: Invalid input: expected "a"');
});

const changing = `${head}
const words = ["a"];
const alias = words;
tool.subcommand({ name: "say", description: "d", input: z.object({ word: z.string() }), output: l1Output({ word: z.enum(words).refine(() => true) }),
  handler: ({ word }) => { alias.push(word); return { message: "said", word } } });
tool.run();
`;

late("an output schema that Zod has to check is made before the handler changes what it is made of", async () => {
  const folder = folderWith({ "tool.ts": changing });
  assert.is((await cfa(folder, ["build", "tool.ts"])).code, 0);
  const { stdout } = await run(`${folder}/tool`, ["say", "--word", "b"]);
  assert.is(JSON.parse(stdout).detail, 'word: Invalid input: expected "a"');
});

late("a spec that calls itself otherwise than it is written is made where it stands", async () => {
  const spread = `${head}
const rest = { name: "other" };
tool.subcommand({ name: "one", ...rest, description: "d", input: z.object({}), output: l1Output({}), handler: () => ({ message: "m" }) });
tool.run();
`;
  const folder = folderWith({ "tool.ts": spread });
  assert.is((await cfa(folder, ["build", "tool.ts"])).code, 0);
  const { stdout } = await run(`${folder}/tool`, ["other"]);
  assert.is(stdout, '{"ok":true,"message":"m"}\n');
});

/** A tool whose handler tells whether Zod was there before it, and what it was given. */
const telling = (input: string, more = "", given = "given") => `${head}
${more}
tool.subcommand({
  name: "tell",
  description: "d",
  input: ${input},
  output: l1Output({ loaded: z.boolean(), given: z.record(z.string(), z.union([z.string(), z.number()])) }),
  handler: (given) => ({ message: "m", loaded: "__zod_globalConfig" in globalThis, given: ${given} }),
});
tool.run();
`;

const called: [what: string, source: string, args: string[], loaded: boolean, given: object][] = [
  [
    "that is written out",
    telling("z.object({ n: z.number().default(5), s: z.string() })"),
    ["--s", "x"],
    false,
    { n: 5, s: "x" },
  ],
  [
    "of constants",
    telling("two.strict()", "const one = z.object({ n: z.int() })\nconst two = one.extend({ s: z.string() });"),
    ["--n", "1", "--s", "x"],
    false,
    { n: 1, s: "x" },
  ],
  [
    "of data",
    telling(
      "z.object({ s: z.enum(WORDS).default(WORD.w) })",
      'const WORDS = ["v", "w"] as const\nconst WORD = { w: "w", n: -1 } as const;',
    ),
    [],
    false,
    { s: "w" },
  ],
  ["with a function", telling("z.object({ n: z.number().default(() => 5) })"), [], true, { n: 5 }],
  [
    "with a check of its own",
    telling("z.object({ n: z.number().refine((n) => n > 1) })"),
    ["--n", "2"],
    true,
    { n: 2 },
  ],
  [
    "with what is looked up",
    telling("z.object({ s: z.string().default(word) })", 'const word = [..."w"][0] as string;'),
    [],
    true,
    { s: "w" },
  ],
  [
    "that a handler uses as well",
    telling("input", "const input = z.object({ n: z.int() });", "input.parse(given)"),
    ["--n", "1"],
    true,
    { n: 1 },
  ],
];
for (const [what, source, args, loaded, given] of called) {
  late(`a call with a schema ${what} loads Zod: ${loaded}`, async () => {
    const folder = folderWith({ "tool.ts": source });
    assert.is((await cfa(folder, ["build", "tool.ts"])).code, 0);
    const stdout = `${JSON.stringify({ ok: true, message: "m", loaded, given })}\n`;
    assert.equal(await run(`${folder}/tool`, ["tell", ...args]), { stdout, stderr: "", code: 0 });
  });
}

late.run();
