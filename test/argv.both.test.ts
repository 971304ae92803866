import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { mergeParsed, parseArgs } from "../src/argv.ts";
import { closest } from "../src/closest.ts";
import { complaintOf, type ZodIssue } from "../src/complaints.ts";
import { toLooseSchema } from "../src/convert.ts";
import { InputError } from "../src/errors.ts";
import { flagIssues, readInput } from "../src/input.ts";
import { readRequest } from "../src/request.ts";
import type { JsonSchema } from "../src/types.ts";

/** A line as a shell splits it: on spaces, but not inside single quotes. */
const split = (line: string) => [...line.matchAll(/(?:'[^']*'|[^' ])+/g)].map(([word]) => word.replaceAll("'", ""));

const blind = suite("parseArgs");

const blindLines: [line: string, subcommand: string, flags: object, positional: string[]][] = [
  ["", "", {}, []],
  ["run", "run", {}, []],
  ["--", "", {}, []],
  ["--run", "run", {}, []],
  ["---run", "-run", {}, []],
  ["run --a 1 b --c", "run", { a: "1", c: true }, ["b"]],
  ["run --a --b -5", "run", { a: true, b: "-5" }, []],
  ["run --a 1 --a 2", "run", { a: "2" }, []],
  ["run x -- --a 1", "run", {}, ["x", "--a", "1"]],
  ["run --a -- b", "run", { a: true }, ["b"]],
  ["run --a=1", "run", { "a=1": true }, []],
  ["run --a 1 --help", "help", { a: "1" }, []],
  ["run --schema --help", "schema", { help: true }, []],
  ["schema --help", "schema", { help: true }, []],
  ["run -- --help", "run", {}, ["--help"]],
  ["run --toString x", "run", { toString: "x" }, []],
];
for (const [line, subcommand, flags, positional] of blindLines) {
  blind(`reads "${line}" without a schema`, () =>
    assert.equal(parseArgs(split(line)), { subcommand, parsed: { flags, positional } }),
  );
}
blind("keeps __proto__ as a plain key", () => {
  const { flags } = parseArgs(["run", "--__proto__", "x"]).parsed;
  assert.equal(Object.entries(flags), [["__proto__", "x"]]);
  assert.is(Object.getPrototypeOf(flags), Object.prototype);
  assert.equal(Object.entries(mergeParsed({ flags, positional: [] })), [["__proto__", "x"]]);
});
blind("merges positionals under _ and warns of a --_ that they replace", () => {
  const warnings: string[] = [];
  const merge = (line: string) => mergeParsed(parseArgs(split(line)).parsed, (warning) => warnings.push(warning));
  assert.equal([merge("run --_ x"), merge("run y")], [{ _: "x" }, { _: ["y"] }]);
  assert.equal(warnings, []);
  assert.equal(merge("run --_ x y"), { _: ["y"] });
  assert.equal(warnings, ["--_ was ignored: positional arguments were given, and they take its place"]);
});
blind.run();

const requests = suite("readRequest");

const plain = z.object({ a: z.string(), verbose: z.boolean().optional() });
const known: Record<string, z.ZodType> = {
  run: plain,
  takes: z.object({ schema: z.string(), help: z.boolean().optional(), h: z.number().optional() }),
  which: z.discriminatedUnion("k", [
    z.object({ k: z.literal("a"), v: z.boolean() }),
    z.object({ k: z.literal("b"), v: z.string() }),
  ]),
};
const call = (name: string, ...tokens: string[]) => ({ to: "call", name, tokens });
const help = (name?: string, json = false) => ({ to: "help", ...(name !== undefined && { name }), json });
const schema = (name?: string) => ({ to: "schema", ...(name !== undefined && { name }), json: false });

const requestLines: [line: string, request: object][] = [
  ["", call("")],
  ["run --a 1", call("run", "--a", "1")],
  ["--run x", call("run", "x")],
  ["schema", schema()],
  ["--schema", schema()],
  ["schema run --a 1", schema("run")],
  ["help", help()],
  ["-h", help()],
  ["--help --json", help(undefined, true)],
  ["help --json run", help("run", true)],
  ["help run --json", help("run", true)],
  ["help nothing", help("nothing")],
  ["run --help", help("run")],
  ["run --a 1 --help --json", help("run", true)],
  ["run --schema=x", schema("run")],
  ["run --help --schema", help("run")],
  ["run --a --help", help("run")],
  ["run --a=--help", call("run", "--a=--help")],
  ["run -- --help -h", call("run", "--", "--help", "-h")],
  ["run -h", help("run")],
  ["run --a x -h", help("run")],
  ["run --a -h", call("run", "--a", "-h")],
  ["run --unknown -h", call("run", "--unknown", "-h")],
  ["run --verbose -h", help("run")],
  ["run --no-verbose -h", help("run")],
  ["which --k a --v -h", help("which")],
  ["which --k b --v -h", call("which", "--k", "b", "--v", "-h")],
  ["takes --schema s.json", call("takes", "--schema", "s.json")],
  ["takes --help", call("takes", "--help")],
  ["takes -h 5", call("takes", "-h", "5")],
  ["help takes", help("takes")],
  ["nothing --help", help("nothing")],
  ["-- --help", help()],
  ["version", call("version")],
  ["--version --help", call("version", "--help")],
  ["toString --help", help("toString")],
];
for (const [line, request] of requestLines) {
  requests(`understands "${line}"`, async () => {
    const inputSchema = (name: string) =>
      Object.hasOwn(known, name) ? toLooseSchema(known[name] ?? plain) : undefined;
    assert.equal(await readRequest(split(line), inputSchema), request);
  });
}
requests("asks for a schema only where the answer depends on it", async () => {
  const asked: string[] = [];
  const inputSchema = (name: string) => void asked.push(name);
  for (const line of ["", "run --a 1", "schema", "help run", "version", "run -- --help"])
    await readRequest(split(line), inputSchema);
  assert.equal(asked, []);
});
requests.run();

const reading = suite("readInput");

/** What Zod makes of the line, or everything that is held against it. */
async function read(line: string, input: z.ZodType): Promise<unknown> {
  const warn = () => {};
  const jsonSchema: JsonSchema = await toLooseSchema(input);
  try {
    const typed = readInput(split(line), jsonSchema, warn);
    if ("document" in typed) return typed;
    const { data, error } = input.safeParse(typed.input);
    if (!error) return data;
    const complaints = error.issues.map((issue) => complaintOf(issue as ZodIssue, typed.input));
    return flagIssues(complaints, typed).map(({ flag, message }) => (flag ? `${flag} | ${message}` : message));
  } catch (error) {
    if (error instanceof InputError) return error.issues.map(({ message }) => message);
    throw error;
  }
}

const strict = z.strictObject({
  a: z.coerce.number().optional(),
  v: z.coerce.boolean().optional(),
  dryRun: z.boolean().optional(),
  prompt: z.boolean().optional(),
  "no-prompt": z.boolean().optional(),
  name: z.string().optional(),
  ids: z.array(z.number()).optional(),
});
const loose = z.looseObject({ v: z.boolean().optional(), _: z.array(z.number()).optional() });
const union = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("n"), v: z.number(), same: z.number().optional(), on: z.boolean().optional() }),
  z.strictObject({
    kind: z.literal("t"),
    v: z.string(),
    same: z.number().min(1).optional(),
    on: z.string().optional(),
  }),
]);
const hint = "got no value; a value that is empty or starts with -- is written";

const lines: [line: string, input: z.ZodType, result: unknown][] = [
  ["--a 1 --a=-.5", strict, { a: -0.5 }],
  ["--dry-run", strict, { dryRun: true }],
  ["--no-dry-run", strict, { dryRun: false }],
  ["--dryRun --no-dryRun", strict, { dryRun: false }],
  ["--no-prompt", strict, { "no-prompt": true }],
  ["--prompt --no-prompt=no", strict, { prompt: true, "no-prompt": false }],
  ["--v false", strict, { v: false }],
  ["--name=--a", strict, { name: "--a" }],
  ["--name=", strict, { name: "" }],
  ["--name 'a b' --name=c=d", strict, { name: "c=d" }],
  ["--ids 1 --name x --ids 2", strict, { ids: [1, 2], name: "x" }],
  [
    "--a x --name --ids y",
    strict,
    [
      '--a: expected a number, got "x"',
      `--name: expected a text, ${hint} --name=VALUE`,
      '--ids: expected a number, got "y"',
    ],
  ],
  [
    "--v=maybe --nmae x",
    strict,
    ['--v: expected true or false, got "maybe"', "unknown flag --nmae, did you mean --name?"],
  ],
  ["--no-v=x", strict, ['--no-v: expected no value, got "x"']],
  ["--nmae x --zzz", strict, ["--nmae | unknown flag --nmae, did you mean --name?", "--zzz | unknown flag --zzz"]],
  ["--__proto__ x", strict, ["--__proto__ | unknown flag --__proto__"]],
  ["--constructor", strict, ["--constructor | unknown flag --constructor"]],
  ["--toString=1", strict, ["--toString | unknown flag --toString"]],
  ["--no-name", strict, ["--no-name | unknown flag --no-name"]],
  ["--v word", strict, ['unexpected argument "word"; use flags: --a, --v, --dryRun, --prompt, --no-prompt, --name, …']],
  ["--v word", loose.omit({ _: true }), { v: true, _: ["word"] }],
  ["-5 [1,2]", loose, ['argument 2: expected a number, got "[1,2]"']],
  ["-5 -- --v", loose, ['argument 2: expected a number, got "--v"']],
  ["--v -- -5 6", loose, { v: true, _: [-5, 6] }],
  ["--_ x 2", loose, { _: [2] }],
  ["--_ 1", loose, { _: [1] }],
  ["--x --y 1 --y 2", loose, { x: true, y: "2" }],
  ["x", z.object({ _: z.array(z.string()).min(2) }), ["Too small: expected array to have >=2 items"]],
  ["a 5", z.object({ _: z.tuple([z.string(), z.number()]) }), { _: ["a", 5] }],
  ["--a 1 --b=2", z.record(z.string(), z.number()), { a: 1, b: 2 }],
  ["--a 1 --b=2", z.object({ a: z.string() }).catchall(z.number()), { a: "1", b: 2 }],
  ["--kind n --v 5", union, { kind: "n", v: 5 }],
  ["--v 5 --kind t --on x", union, { kind: "t", v: "5", on: "x" }],
  ["--on --kind n --v 5 --same 2", union, { kind: "n", v: 5, same: 2, on: true }],
  ["--kind x --v 5", union, ["--kind | Invalid discriminator value. Expected 'n' | 't'"]],
  ["--same x", union, ['--same: expected a number, got "x"']],
  ["--kind n --v 5 --sme 1", union, ["--sme | unknown flag --sme, did you mean --same?"]],
  [
    "--v 5",
    z.union([z.object({ v: z.number() }), z.object({ v: z.boolean() })]),
    ["Invalid input: v: expected number, received string, or v: expected boolean, received string"],
  ],
  [
    "--z x",
    z.union(["a", "b", "c", "d", "e", "f"].map((key) => z.object({ [key]: z.number() }))),
    [
      "Invalid input: a: expected number, received undefined, or b: expected number, received undefined, or c: expected number, received undefined, or d: expected number, received undefined or 2 others",
    ],
  ],
  [
    '--o {"x":["y"]}',
    z.object({ o: z.union([z.object({ x: z.union([z.number(), z.array(z.number())]) }), z.object({ y: z.any() })]) }),
    [
      "--o | Invalid input: x: (expected number, received array, or [0]: expected number, received string), or y: expected nonoptional, received undefined",
    ],
  ],
  [
    "--u x",
    z.object({ u: z.union([z.email(), z.url()]) }),
    ["--u | Invalid input: Invalid email address, or Invalid URL"],
  ],
  ["--u x", z.object({ u: z.union([z.email(), z.url()], "an address, please") }), ["--u | an address, please"]],
  [
    "--d x",
    z.object({ d: z.coerce.date(), n: z.coerce.number() }),
    ['--d | expected a date, got "x"', "--n | Invalid input: expected number, received undefined"],
  ],
  ['--o {"n":"5m"}', z.object({ o: z.object({ n: z.coerce.number() }) }), ['--o | expected a number, got "5m"']],
  [
    '--m {"x":1}',
    z.object({ m: z.record(z.string().min(3), z.number()) }),
    ['--m | Invalid key in record ("x"): Too small: expected string to have >=3 characters'],
  ],
  [
    "--d 2020-01-31",
    z.object({ d: z.coerce.date().min(new Date("2021-01-01")) }),
    ['--d | Too small: expected date to be >="2021-01-01T00:00:00.000Z"'],
  ],
  [
    "--a 5",
    z.intersection(
      z.union([z.object({ a: z.number() }), z.object({ b: z.any() })]),
      z.union([z.object({ b: z.any() }), z.object({ a: z.number() })]),
    ),
    { a: 5 },
  ],
  [
    "--a 5",
    Array.from({ length: 9 }, () =>
      z.union([..."abcdefgh"].map((key) => z.object({ [key]: z.number().optional() }))),
    ).reduce<z.ZodType>((all, one) => z.intersection(all, one), z.any()),
    { a: 5 },
  ],
  ["--json {}", strict, ["--json | unknown flag --json; a whole input is sent by --input-json"]],
  ['{"a":1}', strict, ['unexpected argument "{\\"a\\":1}"; a whole input is sent by --input-json']],
  [
    "{}",
    z.strictObject({ "input-json": z.number().optional() }),
    ['unexpected argument "{}"; use flags: --input-json'],
  ],
  ["x", z.strictObject({}), ['unexpected argument "x"']],
  ["--ids 1 --ids x", strict, ['--ids[1]: expected a number, got "x"']],
  ['--ids [1,"x"]', strict, ['--ids[1]: expected a number, got "x"']],
  [
    "--__proto__ x",
    z.looseObject({}),
    ['--__proto__: expected any other key, got "__proto__", which cannot be carried'],
  ],
  [
    "--__proto__ x",
    z.strictObject({ ["__proto__"]: z.string() }),
    ['--__proto__: expected any other key, got "__proto__", which cannot be carried'],
  ],
  ["--__proto__ x", z.object({}), {}],
  [
    "--c 5",
    z.union([z.strictObject({ a: z.any() }), z.strictObject({ b: z.any() })]),
    [
      'Invalid input: a: expected nonoptional, received undefined and Unrecognized key: "c", or b: expected nonoptional, received undefined and Unrecognized key: "c"',
      "--c | unknown flag --c",
    ],
  ],
  ["--a x", z.object({ a: z.string(), b: z.number() }), ["--b | Invalid input: expected number, received undefined"]],
  ["--input-json {}", strict, { document: "{}" }],
  ["--input-json -", strict, { document: "-" }],
  ["--input-json", strict, ["--input-json: expected JSON, @FILE or - (standard input), got no value"]],
  ["--input-json {} --a 1", strict, ['--input-json: is the whole input and stands alone, got "--input-json" "--a"']],
  ["--input-json {} x", strict, ['--input-json: is the whole input and stands alone, got "--input-json" "x"']],
  [
    "--input-json=1 --input-json=2",
    strict,
    ['--input-json: is the whole input and stands alone, got "--input-json" "--input-json"'],
  ],
  ["--input-json 5", z.object({ "input-json": z.number() }), { "input-json": 5 }],
  ["--input-json {}", z.object({ inputJson: z.string() }), { document: "{}" }],
];
for (const [line, input, result] of lines) {
  reading(`reads "${line}" as ${JSON.stringify(result)}`, async () => assert.equal(await read(line, input), result));
}
reading("warns of a --_ that positionals replace", () => {
  const warnings: string[] = [];
  for (const line of ["--_ 1", "1", "--_ 1 2"]) readInput(split(line), {}, (warning) => warnings.push(warning));
  assert.equal(warnings, ["--_ was ignored: positional arguments were given, and they take its place"]);
});
reading("gives each issue its path, code and flag", () => {
  const jsonSchema = {
    type: "object",
    properties: { dryRun: { type: "integer" }, _: { type: "array", items: { type: "null" } } },
  };
  try {
    readInput(["--dry-run", "1.5", "x"], jsonSchema);
    assert.unreachable();
  } catch (error) {
    assert.equal(error instanceof InputError && error.issues, [
      {
        path: ["dryRun"],
        code: "invalid_type",
        message: '--dry-run: expected an integer, got "1.5"',
        flag: "--dry-run",
      },
      { path: ["_", 0], code: "invalid_type", message: 'argument 1: expected null, got "x"' },
    ]);
  }
});
reading.run();

const words = suite("closest");

const misspelt: [word: string, words: string[], meant: string[]][] = [
  ["mutliply", ["add", "multiply"], ["multiply"]],
  ["multi", ["add", "multiply"], ["multiply"]],
  ["dry_run", ["dryRun"], ["dryRun"]],
  ["lst", ["lost", "list", "last", "least"], ["lost", "list", "last"]],
  ["list", ["lists", "list"], ["list", "lists"]],
  ["b", ["a"], []],
  ["", ["a", "ab"], []],
  ["something", ["else"], []],
];
for (const [word, among, meant] of misspelt) {
  words(`finds ${JSON.stringify(meant)} for "${word}"`, () => assert.equal(closest(word, among), meant));
}
words.run();
