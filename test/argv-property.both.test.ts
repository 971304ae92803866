import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { mergeParsed, parseArgs } from "../src/argv.ts";
import { toLooseSchema } from "../src/convert.ts";
import { readDocument } from "../src/document.ts";
import { InputError } from "../src/errors.ts";
import { readInput } from "../src/input.ts";
import { readRequest } from "../src/request.ts";
import type { JsonSchema } from "../src/types.ts";

const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
console.log(`FC_SEED=${seed}`);

const properties = suite("argv, whatever is typed");

/** Tokens for a value, each list one occurrence of the flag. */
type Render = (flag: string, value: never, variant: number) => string[][];
type Field = { schema: z.ZodType; value: fc.Arbitrary<unknown>; render: Render };

const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON has no -0
const record = fc.record({ x: json }, { noNullPrototype: true });
const text = fc.oneof(fc.string(), fc.constantFrom("007", "[1]", "null", "true", "--x", "-5", "", "a=b", '["a"]'));

const spell = (flag: string, value: string, variant: number) =>
  value.startsWith("--") || variant % 2 ? [`${flag}=${value}`] : [flag, value];
const asJson: Render = (flag, value, variant) => [spell(flag, JSON.stringify(value), variant)];
const asText: Render = (flag, value, variant) => [spell(flag, String(value), variant)];
const asSwitch: Render = (flag, value, variant) => {
  const word = (value ? ["true", "1", "yes", "on"] : ["false", "0", "no", "off"])[variant % 4] ?? "";
  if (variant % 3 === 0) return [[value ? flag : flag.replace("--", "--no-")]];
  return [spell(flag, word, variant)];
};
const asItems =
  (render: Render): Render =>
  (flag, values: unknown[], variant) =>
    values.length < 2 || variant % 3 === 0
      ? asJson(flag, values as never, variant)
      : values.flatMap((value) => render(flag, value as never, variant));

const fields: Field[] = [
  { schema: z.string(), value: text, render: asText },
  { schema: z.coerce.number(), value: double, render: asText },
  { schema: z.int(), value: fc.maxSafeInteger(), render: asText },
  { schema: z.number().nullable(), value: fc.option(double), render: asText },
  { schema: z.boolean(), value: fc.boolean(), render: asSwitch },
  { schema: z.coerce.boolean(), value: fc.boolean(), render: asSwitch },
  { schema: z.enum(["a", "b"]).nullable(), value: fc.constantFrom("a", "b", null), render: asText },
  { schema: z.union([z.literal("auto"), z.number()]), value: fc.oneof(fc.constant("auto"), double), render: asText },
  { schema: z.union([z.string(), z.number()]), value: text, render: asText },
  { schema: z.array(z.string()), value: fc.array(text), render: asItems(asText) },
  { schema: z.array(z.number()), value: fc.array(double), render: asItems(asText) },
  { schema: z.array(z.boolean()), value: fc.array(fc.boolean()), render: asItems(asText) },
  { schema: z.array(z.array(z.number())), value: fc.array(fc.array(double)), render: asItems(asJson) },
  { schema: z.array(z.object({ x: z.unknown() })), value: fc.array(record), render: asItems(asJson) },
  { schema: z.tuple([z.string(), z.number()]), value: fc.tuple(text, double), render: asItems(asText) },
  { schema: z.object({ x: z.unknown() }), value: record, render: asJson },
  {
    schema: z.record(z.string(), z.number()),
    value: fc.dictionary(fc.stringMatching(/^[a-z]+$/), double, { noNullPrototype: true }),
    render: asJson,
  },
];
const keys = ["a", "dryRun", "value", "toString", "constructor", "x-y", "ä"];
const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const filled = fc
  .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 5 })
  .chain((names) =>
    fc.tuple(...names.map((key) => fc.oneof(...fields.map(({ value }, kind) => filledBy(key, kind, value))))),
  );

/** A key whose field is `fields[kind]`; the number keeps a counterexample readable. */
const filledBy = (key: string, kind: number, value: fc.Arbitrary<unknown>) =>
  fc.record({ key: fc.constant(key), kind: fc.constant(kind), value });
const dealt = <T>(hands: T[][]): T[] =>
  // the first of each, then the second of each
  Array.from({ length: Math.max(...hands.map(({ length }) => length)) }, (_, round) =>
    hands.flatMap((hand) => hand.slice(round, round + 1)),
  ).flat();

properties("reads what was written, for any schema and value", () =>
  fc.assert(
    fc.asyncProperty(
      filled,
      fc.nat(11),
      fc.boolean(),
      fc.option(fc.array(text, { minLength: 1 })),
      async (given, variant, deal, rest) => {
        const shape = Object.fromEntries(given.map(({ key, kind }) => [key, fields[kind]?.schema ?? z.never()]));
        const schema = z.strictObject({ ...shape, _: z.array(z.string()).optional() });
        const hands = given.map(
          ({ key, kind, value }) =>
            fields[kind]?.render(`--${variant % 2 ? kebab(key) : key}`, value as never, variant) ?? [],
        );
        const tokens = (deal ? dealt(hands) : hands.flat()).flat().concat(rest ? ["--", ...rest] : []);
        const read = readInput(tokens, z.toJSONSchema(schema, { io: "input" }));
        const expected = {
          ...Object.fromEntries(given.map(({ key, value }) => [key, value])),
          ...(rest && { _: rest }),
        };
        const value = "input" in read && schema.parse(read.input);
        assert.ok(isDeepStrictEqual(value, expected), `${inspect(tokens)} became ${inspect(value, { depth: 9 })}`);
      },
    ),
    { seed, numRuns: 6000 },
  ),
);

properties("reads every JSON object as --input-json", () =>
  fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), json), async (value) =>
      assert.is(JSON.stringify(await readDocument(JSON.stringify(value))), JSON.stringify(value)),
    ),
    { seed, numRuns: 4000 },
  ),
);

const flags =
  "-- --a --a= --n --n=5 --v --v=no --no-v --s --s= --l --big --on --day --c --p --x=1 --dry-run --dryRun --_ --h -h";
const texts =
  "--__proto__ --constructor 5 -5 0x10 1e999 9007199254740993 false off true word null [1] {} a,b Infinity --input-json";
const word = fc.constantFrom(...flags.split(" "), ...texts.split(" "), "", " ", '["a"]', '{"a":1}');
const tokens = fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.string({ unit: "binary" })), { maxLength: 8 });

const keywords =
  "type anyOf allOf oneOf not $ref properties items prefixItems enum const pattern additionalProperties a v _";
const types = "string number boolean array object null # #/properties/a (";
const schemaWord = fc.constantFrom(...keywords.split(" "));
const schemaValue = fc.constantFrom<unknown>(...types.split(" "), true, false, null, 5);
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema; value: unknown }>((tie) => ({
  schema: fc.dictionary(schemaWord, tie("value"), { depthIdentifier: "s", noNullPrototype: true }),
  value: fc.oneof(
    { depthIdentifier: "s", maxDepth: 5 },
    schemaValue,
    tie("schema"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

properties("refuses with an InputError, or reads, whatever the tokens and the schema are", () =>
  fc.assert(
    fc.asyncProperty(tokens, anySchema, async (argv, schema) => {
      const request = await readRequest(["run", ...argv], () => schema);
      if (request.to !== "call") return;
      try {
        readInput(request.tokens, schema);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
      }
    }),
    { seed, numRuns: 5000 },
  ),
);

const subject = z.looseObject({
  a: z.coerce.number().optional(),
  n: z.coerce.number().optional(),
  v: z.coerce.boolean().optional(),
  s: z.coerce.string().optional(),
  l: z.union([z.string(), z.array(z.string())]).optional(),
  big: z.coerce.bigint().optional(),
  day: z.coerce.date().optional(),
  on: z.literal(true).optional(),
  h: z.any().optional(),
  dryRun: z.any().optional(),
  c: z.number().catch(0).optional(),
  p: z.preprocess((value) => (typeof value === "string" ? value.split(",") : value), z.array(z.string())).optional(),
  _: z.array(z.string()).optional(),
});

/** A key that the two readings disagree on: `refused` is what ours says where it refuses. */
type Difference = { argv: string[]; key: string; blind: unknown; ours?: unknown; refused?: string };

const says =
  (pattern: RegExp) =>
  ({ refused = "" }: Difference) =>
    pattern.test(refused);

/** All that may differ where the blind reading succeeds, each with a line that shows it. */
const allowed: [reason: string, line: string, applies: (difference: Difference) => boolean][] = [
  ["z.coerce makes a number of 0x10 and a blank", "--n 0x10", says(/^--(a|n|big): expected .*, got "/)],
  ["z.coerce makes something of a lost value", "--s --day", says(/^--(a|n|big|s|day|[lp](\[\d\])?): .*got no value/)],
  ["z.coerce makes true of every word", "--v=maybe", says(/^--(v|on): expected true( or false)?, got "/)],
  ["z.coerce makes false of a blank", "--v ,", says(/^--v: expected true or false, got " *"/)],
  ["what is caught in silence is refused", "--c x", says(/^--c: expected a number/)],
  ["a text that is caught is a number after all", "--c 5", ({ key, blind }) => key === "c" && blind === 0],
  ["--no-v is unknown to it", "--no-v=x", says(/^--no-v: expected no value/)],
  [
    "--input-json is unknown to it",
    "--input-json {} x",
    ({ argv }) => argv.some((token) => token.startsWith("--input-json")),
  ],
  [
    "key=value is a key to it, and takes the next word",
    "--n=5 x",
    ({ key, argv }) =>
      argv.some((token) => (key === "_" ? /^--[^=]*=/.test(token) : token.startsWith(`--${key.split("=")[0]}=`))),
  ],
  [
    "z.coerce makes true of false",
    "--v false",
    ({ key, blind, ours }) => key === "v" && blind === true && ours === false,
  ],
  [
    "--no-v is a key to it, and takes the next word",
    "--no-v x",
    ({ key, argv }) => /^(v|no-v|_)$/.test(key) && argv.includes("--no-v"),
  ],
  ["--dry-run is a key to it", "--dry-run", ({ key, argv }) => /^dry-?run$/i.test(key) && argv.includes("--dry-run")],
  [
    "no word but its own is taken by a boolean",
    "--v word",
    ({ key, argv }) => key === "_" && /--(v|on)\b/.test(argv.join(" ")),
  ],
  [
    "a repeated flag is a list",
    "--l a --l b",
    ({ key, blind, ours }) => /^[lp]$/.test(key) && Array.isArray(ours) && ours.at(-1) === [blind].flat().join(","),
  ],
  [
    "a JSON array is a list",
    '--p ["a"]',
    ({ key, argv }) => key === "p" && argv.some((token) => /^(--p=)?\s*\[/.test(token)),
  ],
  ["Zod drops __proto__", "--__proto__ x", says(/^--__proto__: expected any other key/)],
  ["-h is the flag h where that is declared", "-h 5", ({ key, argv }) => /^[h_]$/.test(key) && argv.includes("-h")],
];

const schema = await toLooseSchema(subject);

function differences(argv: string[]): Difference[] {
  const { subcommand, parsed } = parseArgs(["run", ...argv]);
  const { data: blind } = subject.safeParse(mergeParsed(parsed));
  if (subcommand !== "run" || !blind) return [];
  try {
    const read = readInput(argv, schema);
    const ours: Record<string, unknown> = "input" in read ? subject.parse(read.input) : read;
    return [...new Set([...Object.keys(blind), ...Object.keys(ours)])]
      .filter((key) => !isDeepStrictEqual(blind[key], ours[key]))
      .map((key) => ({ argv, key, blind: blind[key], ours: ours[key] }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.issues.map(({ path: [key = ""], message }) => ({
      argv,
      key: `${key}`,
      blind: blind[key],
      refused: message,
    }));
  }
}

properties("gives what the blind reading gives, but for what is listed", () =>
  fc.assert(
    fc.property(tokens, (argv) => {
      const unexplained = differences(argv).filter(
        (difference) => !allowed.some(([, , applies]) => applies(difference)),
      );
      assert.equal(
        unexplained.map((difference) => inspect(difference)),
        [],
      );
    }),
    { seed, numRuns: 5000 },
  ),
);
for (const [reason, line, applies] of allowed) {
  properties(`differs from the blind reading in "${line}": ${reason}`, () =>
    assert.ok(differences(line.split(" ").map((token) => (token === "," ? "" : token))).some(applies)),
  );
}
properties.run();
