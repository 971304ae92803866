import { suite } from "uvu";
import type { Issue } from "../src/types.ts";
import { compare, gave, type Row, refused, type Typed, tokens, ways } from "./fields.ts";

/** What is typed, the subcommand first, and what it got. */
const accepted: [typed: Typed, got: unknown][] = [
  // numbers
  ["number --n 5", { n: 5 }],
  ["number --n=5", { n: 5 }],
  ["number --n -5", { n: -5 }],
  ["number --n=-5", { n: -5 }],
  ["number --n -.5", { n: -0.5 }],
  ["number --n=-.5", { n: -0.5 }],
  ["number --n -1e3", { n: -1000 }],
  ["number --n 0.1 --n 00012", { n: 12 }],
  ["number --int 5.0 --whole 1e2", { int: 5, whole: 100 }],
  ["number --coerced ' 7 '", { coerced: 7 }],
  ["number --n 9007199254740992", { n: 2 ** 53 }],
  ["multiply --a 6 --b=-7", { a: 6, b: -7 }],

  // booleans
  ["boolean", {}],
  ["boolean --v", { v: true }],
  ["boolean --no-v", { v: false }],
  ["boolean --v false", { v: false }],
  ["boolean --v=false", { v: false }],
  ["boolean --v 0", { v: false }],
  ["boolean --v no", { v: false }],
  ["boolean --v=off", { v: false }],
  ["boolean --v true", { v: true }],
  ["boolean --v=1", { v: true }],
  ["boolean --v yes", { v: true }],
  ["boolean --v=on", { v: true }],
  ["boolean --v --no-v", { v: false }],
  ["boolean --no-v --v", { v: true }],
  ["boolean --coerced false", { coerced: false }],
  ["boolean --coerced=0 --dry-run", { dryRun: true, coerced: false }],
  ["boolean --no-dry-run", { dryRun: false }],
  ["boolean --dryRun=no", { dryRun: false }],
  ["boolean --maybe null", { maybe: null }],
  ["boolean --no-maybe", { maybe: false }],
  ["boolean --yes", { yes: true }],
  ["boolean --word enabled", { word: true }],
  ["required --n 1 --s x --v --list 2", { n: 1, s: "x", v: true, list: [2], on: true, size: 3 }],
  ["required --n 1 --s x --no-v --list 2 --no-on --size 4", { n: 1, s: "x", v: false, list: [2], on: false, size: 4 }],

  // names
  ["exact --no-prompt", { "no-prompt": true }],
  ["exact --prompt --no-prompt=false", { prompt: true, "no-prompt": false }],
  ["exact --no-no-prompt", { "no-prompt": false }],
  ["exact --no-s x --x-y=z", { "no-s": "x", "x-y": "z" }],
  ["exact --dry-run --no-dryRun", { dryRun: false, "dry-run": true }],
  ["exact --camel-case 1", { camelCase: 1 }],
  ["names", {}],
  ["names --constructor x --toString 5 --valueOf", { constructor: "x", toString: 5, valueOf: true }],
  ["names --to-string 5", { toString: 5 }],
  ["toString --n 5", { n: 5 }],
  ["constructor", {}],
  ["__proto__ --s x", { s: "x" }],
  ["loose --constructor 5 --toString", { constructor: "5", toString: true }],

  // text
  ["string --s 007", { s: "007" }],
  ["string --s [1]", { s: "[1]" }],
  ["string --s null --other true", { s: "null", other: "true" }],
  ["string --s=", { s: "" }],
  ["string --s ''", { s: "" }],
  ["string --s=--x", { s: "--x" }],
  ["string --s -h", { s: "-h" }],
  ["string --s -5 --other a=b", { s: "-5", other: "a=b" }],
  ["string --s=a=b", { s: "a=b" }],
  ["string --s a --s b", { s: "b" }],
  ["string --trimmed ' a ' --code ABC --coerced 5", { trimmed: "a", code: "ABC", coerced: "5" }],
  [["string", "--s", 'ä\u{1F600}\n\t"\\\u2028'], { s: 'ä\u{1F600}\n\t"\\\u2028' }],
  [["string", "--s", " "], { s: " " }],

  // dates and what else is coerced
  ["date --day 2020-01-01", { day: "date 2020-01-01T00:00:00.000Z" }],
  ["date --plain 2020-01-31T12:00:00+02:00", { plain: "date 2020-01-31T10:00:00.000Z" }],
  ["date --big 123456789012345678901", { big: "123456789012345678901n" }],
  ["date --big -5", { big: "-5n" }],
  ["date --iso 2020-01-01", { iso: "2020-01-01" }],
  [
    "date --days 2020-01-01 --days 2021-01-01",
    { days: ["date 2020-01-01T00:00:00.000Z", "date 2021-01-01T00:00:00.000Z"] },
  ],

  // lists
  ["array --s a --x y --s b", { s: ["a", "b"], x: "y" }],
  ["array --s a,b", { s: ["a,b"] }],
  ["array --s []", { s: [] }],
  [["array", "--s", '["a","b"]'], { s: ["a", "b"] }],
  [["array", "--s", '["a"]', "--s", "b"], { s: ['["a"]', "b"] }],
  ["array --s=", { s: [""] }],
  ["array --s [0-9]", { s: ["[0-9]"] }],
  ["array --n 1 --x y --n 2", { n: [1, 2], x: "y" }],
  ["array --n [1,2]", { n: [1, 2] }],
  ["array --n 5", { n: [5] }],
  ["array --v --v=false --v no", { v: [true, false, false] }],
  ["array --v [true,false]", { v: [true, false] }],
  [["array", "--cells", '[{"x":1,"y":2}]'], { cells: [{ x: 1, y: 2 }] }],
  [
    ["array", "--cells", '{"x":1,"y":2}', "--cells", '{"x":3,"y":4}'],
    {
      cells: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
  ],
  ["array --rows [[1],[2,3]]", { rows: [[1], [2, 3]] }],
  ["array --rows [1] --rows 2", { rows: [[1], [2]] }],
  ["array --words a --words b --few 1 --few 2", { few: [1, 2], words: ["a", "b"] }],

  // objects, records, tuples
  [["json", "--o", '{"a":{"b":1}}'], { o: { a: { b: 1 } } }],
  [["json", "--map", '{"a":1}'], { map: { a: 1 } }],
  [["json", "--pair", '["a",1]'], { pair: ["a", 1] }],
  ["json --pair a --pair 1 --rest a --rest 1 --rest 2", { pair: ["a", 1], rest: ["a", 1, 2] }],
  [["json", "--node", '{"n":1,"next":{"n":2,"all":[{"n":3}]}}'], { node: { n: 1, next: { n: 2, all: [{ n: 3 }] } } }],
  ["json --any 5", { any: "5" }],
  [
    ["node", "--n", "1", "--next", '{"n":2}', "--all", '{"n":3}', "--all", '{"n":4}'],
    { n: 1, next: { n: 2 }, all: [{ n: 3 }, { n: 4 }] },
  ],

  // unions and fixed values
  ["union --ns 5", { ns: "5" }],
  ["union --auto auto", { auto: "auto" }],
  ["union --auto 5", { auto: 5 }],
  ["union --n null --s null", { n: null, s: "null" }],
  ["union --n 5", { n: 5 }],
  ["union --nv 1", { nv: 1 }],
  ["union --no-nv", { nv: false }],
  ["union --list 5", { list: 5 }],
  ["union --list 5 --list 6", { list: [5, 6] }],
  [["union", "--so", '{"a":1}', "--no", '{"a":1}'], { so: '{"a":1}', no: { a: 1 } }],
  [["union", "--shape", '{"k":"a","n":1}'], { shape: { k: "a", n: 1 } }],
  ["enum --word a --level 2 --mixed 1 --one 1", { word: "a", level: 2, mixed: "1", one: 1 }],
  ["enum --mixed null --nil null --word0 null", { mixed: null, nil: null, word0: null }],
  ["enum --levels 1 --levels 2", { levels: [1, 2] }],

  // the author's own functions
  ["author --csv a,b --length abc --piped 5", { csv: ["a", "b"], length: 3, piped: 5 }],
  ["author --csv a --csv b", { csv: ["a", "b"] }],
  [["author", "--csv", '["a"]'], { csv: ["a"] }],
  ["author --even 4 --caught 5 --late x", { even: 4, caught: 5, late: "X" }],
  ["author --free x", { free: "x" }],
  ["checked --from 1 --to 2", { from: 1, to: 2 }],
  ["sum --a 1 --b 2", { sum: 3 }],

  // whole inputs
  ["pick --kind cat --lives 9 --name Tom", { kind: "cat", lives: 9, name: "Tom" }],
  ["pick --lives 9 --name Tom --kind cat", { kind: "cat", lives: 9, name: "Tom" }],
  ["pick --kind dog --lives 9 --name Rex --no-good", { kind: "dog", name: "Rex", lives: "9", good: false }],
  ["either --s x --same 7", { s: "x", same: 7 }],
  ["either --n 5", { n: "5" }],
  ["both --n 5 --list true --list no", { n: 5, list: [true, false] }],
  ["strip --n 5 --x 6", { n: 5 }],
  ["loose --n 5 --x 6 --y --x 7", { n: 5, x: "7", y: true }],
  ["catchall --s 5 --x 5", { s: "5", x: 5 }],
  ["record --a 5 --b=6", { a: 5, b: 6 }],
  ["anything --a 5 --b c d", { a: "5", b: "c", _: ["d"] }],
  ["none", {}],
  [
    ["zod3", "--n", "5", "--v", "--list", "1", "--un", "5", "--word", "null", "--day", "2020-01-01"],
    { n: 5, v: true, list: [1], un: "5", word: null, day: "date 2020-01-01T00:00:00.000Z" },
  ],
  ["zod3 --n 5", { n: 5, v: false }],

  // positionals
  ["rest a b --v c", { v: true, _: ["a", "b", "c"] }],
  ["rest a --v no b", { v: false, _: ["a", "b"] }],
  ["rest --v -- --x -5 --", { v: true, _: ["--x", "-5", "--"] }],
  ["rest -5 [1] '' ' '", { _: ["-5", "[1]", "", " "] }],
  ["rest --_ a --_=b", { _: ["a", "b"] }],
  ["numbers 5 -5 1e3", { _: [5, -5, 1000] }],
  ["tuple a 5", { _: ["a", 5] }],

  // names that are special elsewhere
  ["builtins --help", { help: true }],
  ["builtins --no-help --schema s.json", { help: false, schema: "s.json" }],
  ["builtins --h 5 --version 1 --json", { h: 5, version: "1", json: true }],
  ["builtins -h 5", { h: 5 }],
  ["builtins -h=5", { h: 5 }],
  ["document --input-json 5 --n 6", { "input-json": 5, n: 6 }],
  ["--multiply --a 1 --b 2", { a: 1, b: 2 }],
];

const sent = (key: string, message: string, code = "invalid_type", flag = `--${key}`): Issue => ({
  path: [key],
  code,
  message: `${flag}: ${message}`,
  flag,
});
const bad = (key: string, expected: string, got: string) =>
  sent(key, `expected ${expected}, got ${JSON.stringify(got)}`);
const item = (key: string, index: number, expected: string, got: string): Issue => ({
  ...bad(key, expected, got),
  path: [key, index],
  message: `--${key}[${index}]: expected ${expected}, got ${JSON.stringify(got)}`,
});
const lost = (key: string, expected: string, got: string) =>
  sent(key, `expected ${expected}, got ${JSON.stringify(got)}, which a double cannot hold`);
const bare = (key: string, expected: string, flag = `--${key}`) =>
  sent(
    key,
    `expected ${expected}, got no value; a value that is empty or starts with -- is written ${flag}=VALUE`,
    "missing_value",
    flag,
  );
const unknown = (flag: string, meant?: string): Issue => ({
  path: [],
  code: "unrecognized_keys",
  message: `unknown flag ${flag}${meant ? `, did you mean ${meant}?` : ""}`,
  flag,
});
const extra = (text: string, flags = ""): Issue => ({
  path: [],
  code: "unrecognized_keys",
  message: `unexpected argument ${JSON.stringify(text)}${flags && `; use flags: ${flags}`}`,
});
const argument = (index: number, expected: string, got: string): Issue => ({
  path: ["_", index],
  code: "invalid_type",
  message: `argument ${index + 1}: expected ${expected}, got ${JSON.stringify(got)}`,
});
const zod = (path: Issue["path"], code: string, message: string, flag?: string): Issue => ({
  path,
  code,
  message,
  ...(flag && { flag }),
});
const absent = (key: string, type: string, got = "undefined") =>
  zod([key], "invalid_type", `Invalid input: expected ${type}, received ${got}`, `--${key}`);

const moment = 'a date and time such as "2020-01-31T12:00:00Z"';
const decimal = "an integer or a text of the form ^-?\\d+$";

const switches = "--v, --dryRun, --coerced, --maybe, --yes, --word";

const refusals: [typed: Typed, ...issues: Issue[]][] = [
  // numbers
  ...["", " ", "Infinity", "-Infinity", "NaN", "0x10", "5 apples", "1,5", "-", "1_000", "true", "null"].map(
    (text): [Typed, Issue] => [["number", "--n", text], bad("n", "a number", text)],
  ),
  ...["", " ", "0x10", "true"].map((text): [Typed, Issue] => [
    ["number", `--coerced=${text}`],
    bad("coerced", "a number", text),
  ]),
  ["number --n 1e999", lost("n", "a number", "1e999")],
  ["number --int 9007199254740993", lost("int", "an integer", "9007199254740993")],
  ["number --whole 5.5 --small 10", bad("whole", "an integer", "5.5")],
  ["number --small 10", zod(["small"], "too_big", "Too big: expected number to be <=9", "--small")],
  ["number --n --int 5", bare("n", "a number")],
  ["number --coerced", bare("coerced", "a number")],
  ["number --no-n", unknown("--no-n")],
  ["number --n 5 6", extra("6", "--n, --int, --coerced, --whole, --small")],
  ["number --intt 5", unknown("--intt", "--int")],
  ["multiply --a 6 --b ''", bad("b", "a number", "")],
  ["multiply --a 6", absent("b", "number")],

  // booleans
  ["boolean --v=maybe", bad("v", "true or false", "maybe")],
  ["boolean --v word", extra("word", switches)],
  ["boolean --v ''", bad("v", "true or false", "")],
  ["boolean --coerced=maybe", bad("coerced", "true or false", "maybe")],
  ["boolean --no-v=false", sent("v", 'expected no value, got "false"', "invalid_value", "--no-v")],
  ["boolean --no-v false", extra("false", switches)],
  ["boolean --yes=false", bad("yes", "true", "false")],
  ["boolean --no-yes", zod(["yes"], "invalid_value", "Invalid input: expected true", "--no-yes")],
  ["boolean --v -- false", extra("false", switches)],

  // text
  ["string --s --other 1", bare("s", "a text")],
  ["string --coerced", bare("coerced", "a text")],
  ["string --s x --othr y", unknown("--othr", "--other")],
  ["string --email x", zod(["email"], "invalid_format", "Invalid email address", "--email")],
  ["string --full ''", zod(["full"], "too_small", "Too small: expected string to have >=1 characters", "--full")],
  ["exact --xY 1", unknown("--xY", "--x-y")],

  // dates and what else is coerced
  ["date --day ''", bad("day", "a text of the form date-time", "")],
  ["date --day ' '", bad("day", "a text of the form date-time", " ")],
  ["date --day", bare("day", "a text of the form date-time")],
  ["date --day x", zod(["day"], "invalid_type", 'expected a date, got "x"', "--day")],
  ["date --plain 2020-01-31", bad("plain", moment, "2020-01-31")],
  ["date --plain", bare("plain", moment)],
  ["date --days ''", bad("days", "a text of the form date-time", "")],
  ["date --big ''", bad("big", decimal, "")],
  ["date --big 0x10", bad("big", decimal, "0x10")],
  ["date --big", bare("big", decimal)],

  // lists
  ["array --n 1,2", bad("n", "a number", "1,2")],
  ["array --n 1 --n x", item("n", 1, "a number", "x")],
  ["array --n ''", bad("n", "a number", "")],
  [
    "array --n [9007199254740993]",
    sent("n", 'expected numbers that a double can hold, got "9007199254740993"', "invalid_value"),
  ],
  ["array --s --x 1", bare("s", "a list")],
  ["array --few 1", zod(["few"], "too_small", "Too small: expected array to have >=2 items", "--few")],
  ["array --words c", zod(["words", 0], "invalid_value", 'Invalid option: expected one of "a"|"b"', "--words")],
  [
    ["array", "--cells", '{"x":1}'],
    zod(["cells", 0, "y"], "invalid_type", "Invalid input: expected number, received undefined", "--cells"),
  ],
  ["array --cells x", bad("cells", "a JSON object", "x")],

  // objects, records, tuples
  ["json --map x", bad("map", "a JSON object", "x")],
  ["json --map [1]", bad("map", "a JSON object", "[1]")],
  ["json --map", bare("map", "a JSON object")],
  [["json", "--o", '{"a":{"b":1,"c":2}}'], zod(["o", "a"], "unrecognized_keys", 'Unrecognized key: "c"', "--o")],
  ["json --pair a --pair x", item("pair", 1, "a number", "x")],
  ["json --pair a --pair 1 --pair 2", item("pair", 2, "nothing", "2")],
  ["json --pair a", zod(["pair"], "too_small", "Too small: expected array to have >=2 items", "--pair")],
  ["node --n 1 --next.n 5", unknown("--next.n")],

  // unions and fixed values
  ["union --auto zero", bad("auto", '"auto" or a number', "zero")],
  ["union --n=", bad("n", "a number or null", "")],
  ["union --nv word", bad("nv", "a number or true or false", "word")],
  ["union --ns", bare("ns", "a number or a text")],
  ["enum --word c", zod(["word"], "invalid_value", 'Invalid option: expected one of "a"|"b"', "--word")],
  ["enum --level Low", bad("level", "1 or 2", "Low")],
  ["enum --one 2", bad("one", "1", "2")],
  ["enum --mixed x", bad("mixed", '"1" or 1 or null', "x")],

  // the author's own functions
  [
    "author --even 5 --free taken",
    zod(["even"], "custom", "odd", "--even"),
    zod(["free"], "custom", "taken", "--free"),
  ],
  ["author --caught x", bad("caught", "a number", "x")],
  ["checked --from 2 --to 1", zod([], "custom", "from is behind to")],

  // whole inputs
  ["required", absent("n", "number"), absent("s", "string"), absent("v", "boolean"), absent("list", "array")],
  [
    "required --n x --s --v=2 --list y --size z --siez 1 w",
    bad("n", "a number", "x"),
    bare("s", "a text"),
    bad("v", "true or false", "2"),
    bad("list", "a number", "y"),
    bad("size", "a number", "z"),
    unknown("--siez", "--size"),
    extra("w", "--n, --s, --v, --list, --on, --size"),
  ],
  ["pick --kind cow", zod(["kind"], "invalid_union", "Invalid discriminator value. Expected 'cat' | 'dog'", "--kind")],
  [
    "pick --knd cat",
    zod(["kind"], "invalid_union", "Invalid discriminator value. Expected 'cat' | 'dog'", "--kind"),
    unknown("--knd", "--kind"),
  ],
  ["pick --kind cat --lives x --name Tom", bad("lives", "a number", "x")],
  ["pick --kind cat --lives 9 --name Tom --good", unknown("--good")],
  [
    "either --n 5 --same 7",
    { path: [], code: "unrecognized_keys", message: "--same does not go with the other flags", flag: "--same" },
  ],
  ["either --same x", bad("same", "a number", "x")],
  ["both --n 5", absent("list", "array")],
  ["catchall --x y", bad("x", "a number", "y")],
  ["record --a", bare("a", "a number")],
  ["none --x=1 y", unknown("--x"), extra("y")],
  ["none ''", extra("")],
  ["none --=x ---", unknown("--"), unknown("---")],
  ["zod3 --n x", bad("n", "a number", "x")],
  ["zod3 --n 5 --x", unknown("--x")],
  [
    "zod3 --n 5 --word c",
    zod(["word"], "invalid_enum_value", "Invalid enum value. Expected 'a' | 'b', received 'c'", "--word"),
  ],

  // positionals
  ["rest", zod(["_"], "invalid_type", "Invalid input: expected array, received undefined")],
  ["numbers 5 x 6 y", argument(1, "a number", "x"), argument(3, "a number", "y")],
  ["tuple a 5 6", argument(2, "nothing", "6")],

  // names that are special elsewhere
  ["strip --n x --__proto__ y", bad("n", "a number", "x")],
  ["number --__proto__ 5", unknown("--__proto__")],
  ["number --constructor", unknown("--constructor")],
  ["number --toString=5", unknown("--toString")],
  ["__proto__ --__proto__ x", unknown("--__proto__")],
  ["builtins -h", bare("h", "a number", "-h")],
  ["multiply --a -h --b 1", bad("a", "a number", "-h")],
];

const warning = "--_ was ignored: positional arguments were given, and they take its place\n";

const warned: Row[] = [
  ["rest --_ a b", gave("rest", { _: ["b"] }, warning)],
  ["numbers --_ x -- 1", gave("numbers", { _: [1] }, warning)],
  ["tuple --_ x a b", await refused("tuple", [argument(1, "a number", "b")], warning)],
];

const long = "x".repeat(100_000);
const many = Array.from({ length: 10_000 }, (_, index) => `${index}`);

const large: Row[] = [
  [["string", "--s", long], gave("string", { s: long })],
  [["string", `--s=${long}`, "--other", "x"], gave("string", { s: long, other: "x" })],
  [["number", "--n", long], await refused("number", [bad("n", "a number", `${"x".repeat(57)}…`)])],
  [["number", "--n", "9".repeat(100_000)], await refused("number", [lost("n", "a number", `${"9".repeat(57)}…`)])],
  [["date", "--big", "9".repeat(100_000)], gave("date", { big: `${"9".repeat(100_000)}n` })],
  [["none", `--${long}`], await refused("none", [{ ...unknown(`--${"x".repeat(55)}…`), flag: `--${long}` }])],
  [
    ["loose", ...many.flatMap((text) => [`--x${text}`, text])],
    gave("loose", Object.fromEntries(many.map((text) => [`x${text}`, text]))),
  ],
  [["array", ...many.flatMap((text) => ["--n", text])], gave("array", { n: many.map(Number) })],
  [["number", ...many.flatMap((text) => ["--n", text])], gave("number", { n: 9999 })],
  [["numbers", ...many], gave("numbers", { _: many.map(Number) })],
];

const fields = suite("a field of every kind");

const nameOf = (typed: Typed) => tokens(typed)[0]?.replace(/^--/, "") ?? "";
const acceptedRows = accepted.map(([typed, got]): Row => [typed, gave(nameOf(typed), got)]);
const refusedRows = await Promise.all(
  refusals.map(async ([typed, ...issues]): Promise<Row> => [typed, await refused(nameOf(typed), issues)]),
);

for (const [name, way] of Object.entries(ways)) {
  fields(`is typed by its schema, ${name}`, () => compare(way, acceptedRows));
  fields(`is refused with all that is wrong, ${name}`, () => compare(way, refusedRows));
  fields(`warns of an explicit --_ beside positionals, ${name}`, () => compare(way, warned));
  fields(`takes 100 kB at once and 10,000 flags, ${name}`, () => compare(way, large));
}
fields.run();
