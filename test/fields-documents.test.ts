import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import { compare, gave, type Row, refused, type Typed, ways } from "./fields.ts";
import { temporary } from "./harness.ts";

const folder = temporary();
const held = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return `@${join(folder, name)}`;
};
const latin = Uint8Array.of(0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d);

const large = { s: 'ä\\"\n'.repeat(600_000), other: "x" };
const largeText = JSON.stringify(large);

/** The whole input as it stands behind `--input-json`, and what a subcommand gets. */
const accepted: [subcommand: string, text: string, got: unknown][] = [
  ["multiply", '{"a":6,"b":7}', { a: 6, b: 7 }],
  ["union", '{"ns":5,"auto":"auto","s":null,"so":{"a":1}}', { ns: 5, auto: "auto", s: null, so: { a: 1 } }],
  ["boolean", '{"v":false,"maybe":null}', { v: false, maybe: null }],
  ["array", '{"s":["a","[1]"],"rows":[[1],[]]}', { s: ["a", "[1]"], rows: [[1], []] }],
  ["rest", '{"_":["a","--x"]}', { _: ["a", "--x"] }],
  ["pick", '{"kind":"dog","lives":"9","name":"Rex"}', { kind: "dog", name: "Rex", lives: "9" }],
  [
    "date",
    '{"day":"2020-01-01","big":"123456789012345678901"}',
    { day: "date 2020-01-01T00:00:00.000Z", big: "123456789012345678901n" },
  ],
  ["node", '{"n":1,"next":{"n":2}}', { n: 1, next: { n: 2 } }],
  ["zod3", '{"n":1}', { n: 1, v: false }],
  ["loose", '{"--x":1,"x":{"y":[null]}}', { "--x": 1, x: { y: [null] } }],
  ["record", "{}", {}],
  ["sum", '\uFEFF{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n', { sum: 3 }],
  ["number", '{"n":1,"n":2}', { n: 2 }],
  ["string", largeText, large],
];

const whole = (code: string, message: string) => ({
  path: [],
  code,
  message: `--input-json: ${message}`,
  flag: "--input-json",
});
const nothing = whole("missing_value", "expected one JSON object, got nothing");

/** Texts that are no input: what is wrong with them. */
const refusals: [text: string, issue: ReturnType<typeof whole>][] = [
  ["", nothing],
  [" \r\n", nothing],
  ["[1]", whole("invalid_type", "expected one JSON object, got an array")],
  ["5", whole("invalid_type", 'expected one JSON object, got "5"')],
  ["null", whole("invalid_type", 'expected one JSON object, got "null"')],
  ['{"n":1} {"n":2}', whole("invalid_format", 'expected JSON, got "{\\"n\\":1} {\\"n\\":2}" (…)')],
  ['{"n":1', whole("invalid_format", 'expected JSON, got "{\\"n\\":1" (…)')],
  [`x${"y".repeat(100_000)}`, whole("invalid_format", `expected JSON, got "x${"y".repeat(56)}…" (…)`)],
  ['{"n":9007199254740993}', whole("invalid_value", 'expected numbers that a double can hold, got "9007199254740993"')],
  ['{"n":1e999}', whole("invalid_value", 'expected numbers that a double can hold, got "1e999"')],
];

const zod = (path: (string | number)[], message: string, code = "invalid_type") => ({ path, code, message });
const alone = (...tokens: string[]) =>
  whole(
    "invalid_value",
    `is the whole input and stands alone, got ${tokens.map((token) => JSON.stringify(token)).join(" ")}`,
  );
const unreadable = (name: string, why: string) => whole("invalid_value", `cannot read ${JSON.stringify(name)}: ${why}`);

const others: [typed: Typed, issue: object][] = [
  ["number --input-json", whole("missing_value", "expected JSON, @FILE or - (standard input), got no value")],
  ["number --input-json {} --n 1", alone("--input-json", "--n")],
  ["number --input-json {} x", alone("--input-json", "x")],
  ["number --input-json {} --input-json {}", alone("--input-json", "--input-json")],
  ["number --input-json @", whole("invalid_value", "expected the name of a file behind @")],
  ["number --input-json @nowhere.json", unreadable("nowhere.json", "no such file")],
  [["number", "--input-json", `@${folder}`], unreadable(folder, "it is a folder")],
  [
    ["number", "--input-json", held("latin.json", latin)],
    whole("invalid_format", `${JSON.stringify(join(folder, "latin.json"))} is not UTF-8 text`),
  ],
  [["number", "--input-json", '{"n":"5"}'], zod(["n"], "Invalid input: expected number, received string")],
  [["number", "--input-json", '{"m":5}'], zod([], 'Unrecognized key: "m"', "unrecognized_keys")],
  [
    ["json", "--input-json", '{"o":{"a":{"b":1,"c":2}}}'],
    zod(["o", "a"], 'Unrecognized key: "c"', "unrecognized_keys"),
  ],
];

const rows: Row[] = [
  ...accepted.slice(0, -1).map(([name, text, got]): Row => [[name, "--input-json", text], gave(name, got)]),
  ...accepted.slice(-3).map(([name, text, got]): Row => [[name, "--input-json", "-"], gave(name, got), text]),
  ...accepted
    .slice(-3)
    .map(([name, text, got], index): Row => [[name, `--input-json=${held(`${index}.json`, text)}`], gave(name, got)]),
  ...(await Promise.all(
    refusals.map(
      async ([text, issue]): Promise<Row> => [["number", `--input-json=${text}`], await refused("number", [issue])],
    ),
  )),
  ...(await Promise.all(
    refusals.map(
      async ([text, issue]): Promise<Row> => [["number", "--input-json", "-"], await refused("number", [issue]), text],
    ),
  )),
  [
    ["number", "--input-json", "-"],
    await refused("number", [whole("invalid_format", "standard input is not UTF-8 text")]),
    latin,
  ],
  ["number --n 5", gave("number", { n: 5 }), '{"n":6}'],
  ...(await Promise.all(
    others.map(
      async ([typed, issue]): Promise<Row> => [
        typed,
        await refused(typeof typed === "string" ? (typed.split(" ")[0] ?? "") : (typed[0] ?? ""), [issue as never]),
      ],
    ),
  )),
];

const documents = suite("the whole input as JSON");
for (const [name, way] of Object.entries(ways)) {
  documents(`is read or refused, ${name}`, () => compare(way, rows));
}
documents.run();
