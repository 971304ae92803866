import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { branchesOf } from "../src/branches.ts";
import { coerce, type Given, takesWord } from "../src/coerce.ts";
import { toLooseSchema } from "../src/convert.ts";
import { Refusal, readJson, where } from "../src/exact.ts";
import type { JsonSchema } from "../src/types.ts";

const values = suite("coerce");

const nested = z.object({
  n: z.number(),
  get inner() {
    return z.array(nested).optional();
  },
});
const rec: z.ZodType = z.lazy(() => z.union([num, z.array(rec)]));
const email = z.email();
const bool = z.boolean();
const num = z.number();
const str = z.string();
const auto = z.union([z.literal("auto"), num]);
const bigint = z.coerce.bigint();
const lists = z.array(z.array(num));
const pair = z.tuple([str, num]);
const ownWay = (inner: z.ZodType) => z.preprocess((value) => value, inner);
const kindly = z.discriminatedUnion("k", [
  z.object({ k: z.literal("a"), v: z.coerce.boolean() }),
  z.object({ k: z.literal("b"), v: str }),
]);
const cells = z.array(z.object({ x: num }));

// what a caller sent for a field of this kind, and its value
const accepted: [sent: Given | Given[], field: z.ZodType, value: unknown][] = [
  ["5", num, 5],
  ["5", ownWay(num), 5],
  ["5", z.coerce.number().or(str), "5"],
  ["five", z.coerce.number().or(str), "five"],
  ["false", z.coerce.boolean().or(str), false],
  ["false", str.or(z.coerce.boolean()), "false"],
  ["", str.or(z.coerce.number()), ""],
  ["yes", str.pipe(z.coerce.boolean()), "yes"],
  ["no", z.any().pipe(z.coerce.boolean()), false],
  ['{"b":"no","n":"5"}', z.any().pipe(z.object({ b: z.coerce.boolean() })), { b: false, n: "5" }],
  ['["no",5]', z.array(z.union([z.coerce.number(), z.coerce.boolean()])), [false, 5]],
  ['{"1":{"2":3}}', z.record(z.coerce.number(), z.record(z.coerce.string(), num)), { 1: { 2: 3 } }],
  ['{"k":"b","v":"maybe"}', kindly, { k: "b", v: "maybe" }],
  ['{"k":"a","v":"no"}', kindly, { k: "a", v: false }],
  ['{"__proto__":1}', z.object({}), { ["__proto__"]: 1 }],
  ['{"a":{"__proto__":1}}', z.looseObject({ a: z.any() }), { a: { ["__proto__"]: 1 } }],
  ["2020-01-31T12:00:00Z", z.date(), new Date("2020-01-31T12:00:00Z")],
  ["2020-02-29T12:00:00.125000+05:30", z.date().min(new Date(0)).nullish(), new Date("2020-02-29T06:30:00.125Z")],
  ["2020-01-31T12:00:00Z", z.union([num, z.date()]), new Date("2020-01-31T12:00:00Z")],
  ["x", z.date().or(z.any()), "x"],
  ["2020-01-31T12:00:00Z", z.date().or(z.any()), "2020-01-31T12:00:00Z"],
  ["2020-01-31T12:00:00Z", z.date().or(str), "2020-01-31T12:00:00Z"],
  ["2020-01-31T12:00:00Z", ownWay(z.date()), "2020-01-31T12:00:00Z"],
  ['["2020-01-31T12:00:00Z"]', z.array(z.date()), [new Date("2020-01-31T12:00:00Z")]],
  [
    ["2020-01-31T12:00:00Z", "2020-01-31T13:00:00Z"],
    z.array(z.date()),
    [12, 13].map((hour) => new Date(`2020-01-31T${hour}:00:00Z`)),
  ],
  [
    '{"d":[{"at":"2020-01-31T12:00:00Z"}]}',
    z.object({ d: z.array(z.object({ at: z.date() })) }),
    { d: [{ at: new Date("2020-01-31T12:00:00Z") }] },
  ],
  ['{"n":"5","b":"false"}', z.object({ n: z.coerce.number(), b: z.coerce.boolean() }), { n: "5", b: false }],
  ["5m", ownWay(num), "5m"], // for the author's function to read
  ["a,b", ownWay(z.array(str)), "a,b"],
  ['["a"]', ownWay(z.array(str)), ["a"]],
  [["a", "b"], ownWay(z.array(str)), ["a", "b"]],
  [" -.5 ", num, -0.5],
  ["+1e3", num, 1000],
  ["5.", num, 5],
  ["9007199254740992", num, 9007199254740992],
  ["1152921504606847000", num, 2 ** 60],
  ["1e23", num, 1e23],
  ["0e999", num, 0],
  [["1", "2"], num, 2],
  ["5.0", z.int(), 5],
  ["2", z.literal([1, 2]), 2],
  ["007", str, "007"],
  ["", str, ""],
  ["[1]", str, "[1]"],
  ["null", str.nullable(), "null"],
  ["c", z.enum(["a", "b"]), "c"],
  ["c", z.enum(["a", "b"]).nullable(), "c"],
  ["null", z.enum(["a", "b"]).nullable(), null],
  ["null", num.nullable(), null],
  ["5", z.union([num, str]), "5"],
  ["5", auto, 5],
  ["auto", auto, "auto"],
  ["1", z.literal(["1", 1, null]), "1"],
  ["1", z.literal(["a", 1, null]), 1],
  ["null", z.literal(["a", 1, null]), null],
  ["ABC", z.union([z.string().regex(/^a/i), num]), "ABC"],
  ["5", z.union([email, num]), 5],
  ["1", z.union([num, bool]), 1],
  ["yes", z.union([num, bool]), true],
  ["true", z.union([str, bool]), "true"],
  [true, z.union([str, bool]), true],
  [true, bool, true],
  [false, bool, false],
  ["TRUE", bool, true],
  ["off", bool, false],
  ["1", bool, true],
  ["0", z.coerce.boolean(), false],
  ["123456789012345678901", bigint, "123456789012345678901"],
  [" 5 ", bigint, 5],
  ["2020-01-01", z.coerce.date(), "2020-01-01"],
  ["x", z.any(), "x"],
  [true, z.unknown(), true],
  [["1", "2"], z.array(num), [1, 2]],
  ["1", z.array(num), [1]],
  ["[1,2]", z.array(num), [1, 2]],
  ["[]", z.array(num), []],
  ["a,b", z.array(str), ["a,b"]],
  ["[0-9]", z.array(str), ["[0-9]"]],
  ['["a"]', z.array(str), ["a"]],
  [['["a"]', "b"], z.array(str), ['["a"]', "b"]],
  ['{"id":12345678901234567890}', z.array(str), ['{"id":12345678901234567890}']],
  [true, z.array(bool), [true]],
  [[true, "no"], z.array(bool), [true, false]],
  ["null", z.array(num).nullable(), null],
  ["[[1],[2]]", lists, [[1], [2]]],
  ["[1,2]", lists, [[1, 2]]],
  [["[1]", "2"], lists, [[1], [2]]],
  ['["a",1]', z.array(pair), [["a", 1]]],
  ['["a",1]', pair, ["a", 1]],
  [["a", "1"], pair, ["a", 1]],
  [["a", "1", "2"], z.tuple([str]).rest(num), ["a", 1, 2]],
  ['{"x":1}', cells, [{ x: 1 }]],
  ['[{"x":1},{"x":2}]', cells, [{ x: 1 }, { x: 2 }]],
  [['{"x":1}', '{"x":2}'], cells, [{ x: 1 }, { x: 2 }]],
  ["[1]", z.union([str, z.array(str)]), "[1]"],
  [["a", "b"], z.union([str, z.array(str)]), ["a", "b"]],
  ["5", z.union([num, z.array(num)]), 5],
  ["[5]", z.union([num, z.array(num)]), [5]],
  ["[1,null]", z.array(num.nullable()), [1, null]],
  ['{"a":{"b":"1"}}', z.object({}), { a: { b: "1" } }],
  ['\uFEFF {"a":1}\r\n', z.record(str, num), { a: 1 }],
  ['{"n":1,"inner":[{"n":2}]}', nested, { n: 1, inner: [{ n: 2 }] }],
  ["5", z.intersection(num, num.min(3)), 5],
];
for (const [sent, field, value] of accepted) {
  const jsonSchema = await toLooseSchema(field);
  values(`makes ${JSON.stringify(value)} of ${JSON.stringify(sent)} for ${JSON.stringify(jsonSchema)}`, () =>
    assert.equal(coerce([sent].flat(), branchesOf(jsonSchema, jsonSchema), jsonSchema), value),
  );
}

const moment = 'a date and time such as "2020-01-31T12:00:00Z"';
const spelt = ({ path, message }: Refusal) => (path.length > 0 ? `${where(path)}: ${message}` : message);

const refused: [sent: Given | Given[], field: z.ZodType, message: string][] = [
  ...["", " ", "Infinity", "NaN", "0x10", "1_000", "5 apples", "--5", ".", "1e", "true"].map(
    (text): [string, z.ZodType, string] => [text, z.coerce.number(), `expected a number, got ${JSON.stringify(text)}`],
  ),
  ...[
    "9007199254740993",
    "9007199254740993e0",
    "90071992547409930e-1",
    "9.007199254740993E15",
    "9007199254740993.5",
    "0.99999999999999999999",
    "1e999",
    "1e-999",
    "-9007199254740993.0",
  ].map((text): [string, z.ZodType, string] => [
    text,
    num,
    `expected a number, got "${text}", which a double cannot hold`,
  ]),
  ["1.5", z.int(), 'expected an integer, got "1.5"'],
  ["3", z.literal([1, 2]), 'expected 1 or 2, got "3"'],
  [true, str, "expected a text, got no value"],
  [true, z.array(num), "expected a list, got no value"],
  [" ", z.coerce.date(), 'expected a text of the form date-time, got " "'],
  ["", bigint, 'expected an integer or a text of the form ^-?\\d+$, got ""'],
  ["0x10", bigint, 'expected an integer or a text of the form ^-?\\d+$, got "0x10"'],
  ["5", z.intersection(z.union([num, bool]), z.union([bool, str])), 'expected true or false, got "5"'],
  ["maybe", bool, 'expected true or false, got "maybe"'],
  ["", z.coerce.boolean(), 'expected true or false, got ""'],
  ["NO", bool, 'expected true or false, got "NO"'],
  ["zero", auto, 'expected "auto" or a number, got "zero"'],
  ["x", z.object({}), 'expected a JSON object, got "x"'],
  ["[]", z.object({}), 'expected a JSON object, got "[]"'],
  ["[1]", z.array(str), "[0]: expected a text, got 1"],
  ['[1,"2"]', z.array(num), '[1]: expected a number, got "2"'],
  ['["a",1,2]', pair, "[2]: expected nothing, got 2"],
  ['["maybe"]', z.array(z.coerce.boolean()), '[0]: expected true or false, got "maybe"'],
  ["[1]", z.union([num, z.object({})]), 'expected a number or a JSON object, got "[1]"'],
  ["[9007199254740993]", z.array(num), 'expected numbers that a double can hold, got "9007199254740993"'],
  [["1", "x"], z.array(num), '[1]: expected a number, got "x"'],
  [["a", "1", "2"], pair, '[2]: expected nothing, got "2"'],
  [["[1]", '["x"]'], lists, '[1][0]: expected a number, got "x"'],
  // what z.coerce would make 0, 16, a neighbour or true of
  ...["", " ", "0x10", "9007199254740993"].map((text): [string, z.ZodType, string] => [
    text,
    z.coerce.number().or(str),
    `expected a number, got ${JSON.stringify(text)}`,
  ]),
  ["maybe", z.coerce.boolean().or(str), 'expected true or false, got "maybe"'],
  ["false", str.pipe(z.coerce.boolean()), 'expected true, got "false"'],
  ["", str.pipe(z.coerce.number()), 'expected a number, got ""'],
  ['{"n":""}', z.object({ n: z.coerce.number() }), '.n: expected a number, got ""'],
  ['{"n":null}', z.record(str, z.coerce.number()), ".n: expected a number, got null"],
  ['{"s":[1]}', z.object({ s: z.coerce.string() }), ".s: expected a text, got [1]"],
  ['{"0x10":1}', z.record(z.coerce.number(), num), '.0x10: expected a number, got "0x10"'],
  ['[{"b":"no way"}]', z.array(z.object({ b: z.coerce.boolean() })), '[0].b: expected true or false, got "no way"'],
  // a Date that Zod would have to be given
  ...["2020-01-31", "2020-02-30T00:00:00Z", "2020-01-31T24:00:00Z", "2020-01-31T12:00:00.1234Z", "now", ""].map(
    (text): [string, z.ZodType, string] => [text, z.date(), `expected ${moment}, got ${JSON.stringify(text)}`],
  ),
  ["x", z.union([num, z.date()]), `expected a number or ${moment}, got "x"`],
  ['{"d":"x"}', z.object({ d: z.date() }), `.d: expected ${moment}, got "x"`],
  // what would be lost
  ['{"__proto__":1}', z.record(str, num), 'expected any other key, got "__proto__", which cannot be carried'],
  [
    '{"a":{"__proto__":1}}',
    z.looseObject({ a: z.looseObject({}) }),
    '.a: expected any other key, got "__proto__", which cannot be carried',
  ],
  ["abc", rec, 'expected a number, got "abc"'],
  ["x", z.never(), 'expected nothing, got "x"'],
  ["x".repeat(99), num, `expected a number, got "${"x".repeat(57)}…"`],
  [`${"1".repeat(100_000)}x`, num, `expected a number, got "${"1".repeat(57)}…"`],
];
for (const [sent, field, message] of refused) {
  const jsonSchema = await toLooseSchema(field);
  values(`refuses ${JSON.stringify(sent).slice(0, 40)}: ${message}`, () =>
    assert.throws(
      () => coerce([sent].flat(), branchesOf(jsonSchema, jsonSchema), jsonSchema),
      (error: unknown) => error instanceof Refusal && spelt(error) === message,
    ),
  );
}

const number = { type: "number" };
const documents: [name: string, sent: Given | Given[], field: JsonSchema, root: JsonSchema, value: unknown][] = [
  ["a reference into $defs", "5", { $ref: "#/$defs/a~1b" }, { $defs: { "a/b": number } }, 5],
  [
    "a reference to itself",
    "5",
    { $ref: "#/$defs/a" },
    { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, number] } } },
    5,
  ],
  ["a reference beside words", "5", { $ref: "#/$defs/a", description: "d" }, { $defs: { a: number } }, 5],
  ["a reference to elsewhere", "5", { $ref: "https://example.org/a" }, {}, "5"],
  [
    "allOf of a union and a type",
    "5",
    { allOf: [{ anyOf: [number, { type: "string" }] }, { type: "integer" }] },
    {},
    5,
  ],
  [
    "a tuple of draft 7",
    ["5", "x"],
    { type: "array", items: [number], additionalItems: { type: "string" } },
    {},
    [5, "x"],
  ],
  ["an enum without a type", "2", { enum: [1, 2] }, {}, 2],
  ["a pattern that no engine reads", "a", { anyOf: [{ type: "string", pattern: "(" }, number] }, {}, "a"],
];
for (const [name, sent, field, root, value] of documents) {
  values(`reads by ${name}`, () => assert.equal(coerce([sent].flat(), branchesOf(field, root), root), value));
}
values.run();

const switches = suite("takesWord");

const words: [word: string, field: z.ZodType, taken: boolean][] = [
  ["word", bool, false],
  ["false", bool, true],
  ["", bool, true],
  ["null", bool, false],
  ["null", bool.nullable(), true],
  ["false", z.literal(true), true],
  ["word", z.union([bool, num]), true],
  ["word", z.array(bool), true],
  ["word", str, true],
  ["word", z.any(), true],
];
for (const [word, field, taken] of words) {
  const jsonSchema = await toLooseSchema(field);
  switches(`${taken ? "takes" : "leaves"} "${word}" for ${JSON.stringify(jsonSchema)}`, () =>
    assert.is(takesWord(word, branchesOf(jsonSchema, jsonSchema)), taken),
  );
}
switches.run();

const exact = suite("readJson");

for (const text of [
  '{"a":[1,2.5,-3e2]}',
  '"\\"12345678901234567890"',
  "9007199254740992",
  '\uFEFF {"a":"\\u0041"}\r\n',
]) {
  exact(`reads ${text}`, () => assert.equal(readJson(text), JSON.parse(text.replace("\uFEFF", ""))));
}
for (const lost of ["9007199254740993", "-9007199254740993.0", "1e999", "1E-999"]) {
  exact(`refuses ${lost} at any depth`, () =>
    assert.throws(
      () => readJson(`{"a\\"1":[{"b":"1e9999"},${lost}]}`),
      (error: unknown) => error instanceof Refusal && error.message.endsWith(`got "${lost}"`),
    ),
  );
}
exact.run();
