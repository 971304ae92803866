import { resolve } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { toJsonSchema } from "../src/convert.ts";
import { compare, file, gave, printed, type Row, refused, ways } from "./fields.ts";
import { kinds } from "./fixtures/fields/kinds.ts";
import { bun, compiled, root, run } from "./harness.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const output = {
  $schema,
  type: "object",
  properties: { ok: { type: "boolean", const: true }, message: { type: "string" }, got: {} },
  required: ["ok", "message"],
  additionalProperties: false,
};

const inputs = new Map<string, object>();
for (const [name, input] of kinds) inputs.set(name, await toJsonSchema(input, "input"));
const listed = [...inputs].map(([name, input_schema]) => ({ name, description: `Takes ${name}`, input_schema }));

const tool = { name: "fields", version: "1.2.3" };
const help = (name?: string) =>
  printed({
    ok: true,
    message: "Gives back what it got",
    tool,
    subcommands: listed.filter((one) => name === undefined || one.name === name),
  });
const schema = (name?: string) =>
  printed({
    ok: true,
    message: name === undefined ? "the JSON Schema of every subcommand" : `the JSON Schema of "${name}"`,
    schemas: Object.fromEntries(
      [...inputs].filter(([one]) => name === undefined || one === name).map(([one, input]) => [one, { input, output }]),
    ),
  });
const unknown = (name: string, ...meant: string[]) =>
  printed({
    ok: false,
    error: "unknown_subcommand",
    message: name === "" ? "no subcommand was given" : `there is no subcommand ${JSON.stringify(name)}`,
    subcommands: listed,
    ...(meant.length > 0 && { did_you_mean: meant }),
  });
const version = printed({ ok: true, message: "fields 1.2.3", ...tool });
const extra = (text: string) => ({
  path: [],
  code: "unrecognized_keys",
  message: `unexpected argument "${text}"; use flags: --s, --other, --full, --email, --trimmed, --code, …`,
});

const rows: Row[] = [
  [[], unknown("")],
  [[""], unknown("")],
  ["--", unknown("")],
  ["schema", schema()],
  ["--schema", schema()],
  ["schema multiply", schema("multiply")],
  ["schema --x multiply --a 1", schema("multiply")],
  ["multiply --schema", schema("multiply")],
  ["multiply --a 1 --schema=x", schema("multiply")],
  ["schema zod3", schema("zod3")],
  ["schema __proto__", schema("__proto__")],
  ["help", help()],
  ["--help", help()],
  ["help --json", help()],
  ["-h", help()],
  ["-h multiply", help("multiply")],
  ["help multiply", help("multiply")],
  ["--help multiply", help("multiply")],
  ["help --json multiply", help("multiply")],
  ["multiply --help", help("multiply")],
  ["multiply --a x --help --b", help("multiply")],
  ["multiply -h", help("multiply")],
  ["boolean --v -h", help("boolean")],
  ["toString --help", help("toString")],
  ["help builtins", help("builtins")],
  ["schema builtins", schema("builtins")],
  ["string --s -h", gave("string", { s: "-h" })],
  ["string -- --help", await refused("string", [extra("--help")])],
  ["string -- -h", await refused("string", [extra("-h")])],
  ["rest -- -h --schema", gave("rest", { _: ["-h", "--schema"] })],
  ["mutiply", unknown("mutiply", "multiply")],
  ["mutiply --a 1 --help", unknown("mutiply", "multiply")],
  ["schema mutiply", unknown("mutiply", "multiply")],
  ["help mutiply", unknown("mutiply", "multiply")],
  ["Number", unknown("Number", "number", "numbers")],
  ["to-string", unknown("to-string", "toString", "string")],
  ["hasOwnProperty", unknown("hasOwnProperty")],
  ["valueOf --help", unknown("valueOf")],
  ["-v", unknown("-v")],
  ["' '", unknown(" ")],
  ["---", unknown("-")],
  [["ä\u{1F600}"], unknown("ä\u{1F600}")],
  [["x".repeat(100_000)], unknown(`${"x".repeat(57)}…`)],
  ["version", version],
  ["--version", version],
  ["version --help x", version],
  ["help version", unknown("version")],
];

/** Bun takes the first `--` behind a source file for itself, and does not show it. */
const dashes: Row[] = [["-- multiply --a 1", unknown("")]];

const author = (of: string) => printed({ ok: true, message: "the author's version", of });
const yielding: Row[] = [
  ["version", author("nothing")],
  ["--version --file x", author("x")],
  [
    "version --help",
    printed({
      ok: true,
      message: "Has a version of its own",
      tool: { name: "yields", version: "1.0.0" },
      subcommands: [
        {
          name: "version",
          description: "Tells the version of a file",
          input_schema: {
            $schema,
            type: "object",
            properties: { file: { type: "string" } },
            additionalProperties: false,
          },
        },
      ],
    }),
  ],
];

const requests = suite("what a command line asks for");

for (const [name, way] of Object.entries(ways)) {
  requests(`is answered, ${name}`, () => compare(way, name === "in source" ? rows : [...rows, ...dashes]));
  requests(`is a subcommand of the author's before it is a later builtin, ${name}`, () =>
    compare(way, yielding, "test/fixtures/fields/version.ts"),
  );
}

requests("replaces bytes that are no UTF-8", async () => {
  const script = `exec "$@" string --s "$(printf 'a\\377b\\355\\240\\200')"`;
  for (const command of [[bun, resolve(root, file)], [await compiled(file)]]) {
    const { stdout, ...others } = await run("sh", ["-c", script, "sh", ...command]);
    const { ok, got } = JSON.parse(stdout);
    assert.equal({ ok, ...others }, { ok: true, stderr: "", code: 0 });
    assert.match(got.s, /^a\uFFFDb\uFFFD+$/);
  }
});

requests.run();
