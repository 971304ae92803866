import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { type Catalog, catalogWith, entriesOf } from "../src/answers.ts";
import { host } from "../src/host.ts";
import { catalogOf, replyTo, Tool } from "../src/tool.ts";
import { file } from "./fields.ts";
import { addFields, kinds } from "./fixtures/fields/kinds.ts";
import { compiled, run } from "./harness.ts";

const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
console.log(`FC_SEED=${seed}`);

const fails = () => {
  throw new Error("no");
};
const n = z.number();

/** What whole inputs may be beside the kinds of the fixture: none is a plain object schema. */
const odd: Record<string, z.ZodType> = {
  text: z.string(),
  never: z.never(),
  list: z.array(n),
  nothing: z.undefined(),
  map: z.map(z.string(), n),
  throws: z.object({ a: z.string().transform(fails) }),
  rejects: z.object({ a: z.string().refine(async () => fails()) }),
  caught: z.object({ a: n }).catch({ a: 0 }),
  early: z.preprocess(fails, z.object({ a: n })),
  union: z.union([z.string(), z.object({ a: n }), z.object({ a: z.array(n), v: z.boolean() })]),
  lazy: z.lazy(() => z.object({ a: z.lazy(() => n.optional()) })),
};

const oddTool = new Tool({ name: "odd", description: "" });
for (const [name, input] of Object.entries(odd))
  oddTool.dataSubcommand({ name, description: "", input, output: {}, handler: () => ({ message: name }) });
const fieldsTool = new Tool({ name: "fields", description: "Gives back what it got", version: "1.2.3" });
addFields(fieldsTool);

const emptyTool = new Tool({ name: "empty", description: "Has nothing", version: "" });
const catalogs = new Map([fieldsTool, oddTool, emptyTool].map((tool) => [tool, remembered(catalogOf(tool))]));

const keysOf = (input: unknown) =>
  Object.keys((input as { shape?: object }).shape ?? { kind: 0, name: 0, n: 0, list: 0 });
const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const builtins = ["schema", "help", "version", "-h", "--help", "--schema", "--version", "--json", "--", "-", ""];
const tricky = [
  ..."5 -5 -.5 1e3 0x10 1e999 9007199254740993 Infinity NaN true false no off null undefined word a,b a=b".split(" "),
  ...'[1] [] {} [{"x":1}] ["a"] [[1]] {"a":{"b":1}} {"n":1,"next":{"n":2}} { [ " \\ @ @nowhere - -h --x 2020-01-01'.split(
    " ",
  ),
  ...["", " ", "\n", "\r\n{}", "\uFEFF{}", "\0", "\u2028", "\uD800", "__proto__", "toString", '{"__proto__":1}'],
];
const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());
const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...tricky) }, text, fc.json());
const keyAmong = (keys: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...keys, "_") },
    fc.constantFrom(...keys, "_").map(kebab),
    fc.constantFrom(...keys, "_").map((key) => `no-${key}`),
    fc.constantFrom("input-json", "__proto__", "constructor", "hasOwnProperty"),
    text,
  );
const wordsWith = (key: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(key, value).map(([key, value]) => [`--${key}`, value]) },
    { weight: 2, arbitrary: fc.tuple(key, value).map(([key, value]) => [`--${key}=${value}`]) },
    { weight: 2, arbitrary: key.map((key) => [`--${key}`]) },
    { weight: 1, arbitrary: value.map((value) => [value]) },
    { weight: 1, arbitrary: fc.constantFrom(...builtins).map((word) => [word]) },
  );
const lineOf = (first: fc.Arbitrary<string>, keys: readonly string[]) =>
  fc
    .tuple(first, fc.array(wordsWith(keyAmong(keys)), { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest.flat()]);

/** A command line for a tool whose subcommands take these inputs. */
const lineFor = (inputs: Iterable<[string, unknown]>) =>
  fc.oneof(
    ...[...inputs].map(([name, input]) => lineOf(fc.constant(name), keysOf(input))),
    ...builtins.map((name) => lineOf(fc.constant(name), ["json"])),
    lineOf(value, ["n", "json"]),
    fc.constant([]),
  );
const fieldsLine = lineFor(kinds);

const asked = fc.oneof(
  { weight: 6, arbitrary: fieldsLine.map((argv) => ({ tool: fieldsTool, argv })) },
  { weight: 2, arbitrary: lineFor(Object.entries(odd)).map((argv) => ({ tool: oddTool, argv })) },
  { weight: 1, arbitrary: lineFor([]).map((argv) => ({ tool: emptyTool, argv })) },
);

/** Standard input is one and the same for all the runs of this process. */
const readsStdin = (argv: readonly string[]) =>
  argv.some((token, index) => token === "--input-json=-" || (token === "--input-json" && argv[index + 1] === "-"));

const runs = suite("a run, whatever is typed");

runs("is answered by one JSON object", () =>
  fc.assert(
    fc.asyncProperty(
      asked.filter(({ argv }) => !readsStdin(argv)),
      async ({ tool, argv }) => {
        host.catalog = catalogs.get(tool) as Catalog;
        const { ok, text } = await replyTo(tool, argv);
        const { error, ...shape } = shapeOf(text);
        assert.equal(shape, { lines: 1, ok, message: "string" }, inspect(argv));
        assert.ok(tool === oddTool || error !== "unexpected_error", inspect({ argv, text }));
      },
    ),
    { seed, numRuns: 20_000 },
  ),
);

const warning = "--_ was ignored: positional arguments were given, and they take its place\n";
const carried = (argv: readonly string[]) => argv.map((token) => token.replaceAll("\0", "")); // no process is given a NUL

runs("prints one JSON object, and exits 0", () =>
  fc.assert(
    fc.asyncProperty(fieldsLine.map(carried), async (argv) => {
      const { stdout, stderr, code } = await run(await compiled(file), argv);
      const { ok, error, ...shape } = shapeOf(stdout.replace(/\n$/, ""));
      assert.ok(stdout.endsWith("\n") && typeof ok === "boolean", inspect({ argv, stdout }));
      assert.is.not(error, "unexpected_error", inspect({ argv, stdout }));
      assert.equal({ ...shape, code }, { lines: 1, message: "string", code: 0 }, inspect(argv));
      assert.ok(stderr === "" || stderr === warning, inspect({ argv, stderr }));
    }),
    { seed, numRuns: 200 },
  ),
);

const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON has no -0
const plain = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", ""));
const render = {
  text: (flag: string, value: unknown) => [`${flag}=${value}`],
  switch: (flag: string, value: unknown) => [value ? flag : flag.replace("--", "--no-")],
  json: (flag: string, value: unknown) => [flag, JSON.stringify(value)],
  items: (flag: string, value: unknown) =>
    (value as unknown[]).length > 1
      ? (value as unknown[]).map((item) => `${flag}=${item}`)
      : [flag, JSON.stringify(value)],
};
const o = fc.record({ a: fc.record({ b: double }, { noNullPrototype: true }) }, { noNullPrototype: true });

type Sample = [
  subcommand: string,
  input: fc.Arbitrary<Record<string, unknown>>,
  render: Record<string, keyof typeof render>,
];

const samples: Sample[] = [
  [
    "number",
    fc.record({ n: double, int: fc.maxSafeInteger(), coerced: double }),
    { n: "text", int: "text", coerced: "text" },
  ],
  ["boolean", fc.record({ v: fc.boolean(), dryRun: fc.boolean() }), { v: "switch", dryRun: "switch" }],
  ["string", fc.record({ s: plain, other: plain }), { s: "text", other: "text" }],
  [
    "array",
    fc.record({ s: fc.array(plain), n: fc.array(double), rows: fc.array(fc.array(double)) }),
    { s: "items", n: "items", rows: "json" },
  ],
  [
    "json",
    fc.record({ o, map: fc.dictionary(fc.stringMatching(/^[a-z]+$/), double, { noNullPrototype: true }) }),
    { o: "json", map: "json" },
  ],
  [
    "union",
    fc.record({ ns: plain, auto: fc.oneof(fc.constant("auto"), double), n: fc.option(double) }),
    { ns: "text", auto: "text", n: "text" },
  ],
];

runs("gets back what was written, as flags and as JSON", () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(...samples.map(([name, input, by]) => input.map((input) => ({ name, input, by })))),
      async ({ name, input, by }) => {
        const flags = Object.entries(input).flatMap(([key, value]) => render[by[key] ?? "json"](`--${key}`, value));
        for (const argv of [
          [name, ...flags],
          [name, "--input-json", JSON.stringify(input)],
        ]) {
          const { stdout } = await run(await compiled(file), argv);
          const { got } = JSON.parse(stdout);
          assert.ok(isDeepStrictEqual(got, { ...input }), `${inspect(argv)} printed ${stdout}`);
        }
      },
    ),
    { seed, numRuns: 60 },
  ),
);
runs.run();

function shapeOf(text: string) {
  const { ok, error, message } = JSON.parse(text) as Record<string, unknown>;
  return { lines: text.split("\n").length, ok, error, message: typeof message };
}

/** As an executable holds it: with every schema converted once. */
function remembered(catalog: Catalog): Catalog {
  const once = <T>(make: () => T) => {
    const made: T[] = [];
    return () => {
      if (made.length === 0) made.push(make());
      return made[0] as T;
    };
  };
  return catalogWith(
    catalog,
    entriesOf(catalog).map(({ input, output, loose, ...words }) => ({
      ...words,
      input: once(input),
      output: once(output),
      loose: once(loose),
    })),
  );
}
