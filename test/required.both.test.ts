import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as z from "zod";
import * as z3 from "zod/v3";
import { toJsonSchema } from "../src/convert.ts";

/** What is sent for every field; the field decides whether it may be left out. */
const SENT = "2020-02-02T00:00:00Z";

const four = {
  plain: z.string(),
  optional: z.string().optional(),
  exact: z.string().exactOptional(),
  nullable: z.string().nullable(),
  default: z.string().default("x"),
  both: z.string().default("x").optional(),
  caught: z.string().catch("x"),
  prefault: z.string().prefault("x"),
  filled: z.preprocess((value) => value ?? "x", z.string()),
  passed: z.preprocess((value) => value, z.string()),
  readonly: z.string().default("x").readonly(),
  lazy: z.lazy(() => z.string().optional()),
  demanded: z.string().optional().nonoptional(),
  any: z.any(),
  unknown: z.unknown(),
  coerced: z.coerce.string(),
  truthy: z.coerce.boolean(),
  date: z.coerce.date(),
  either: z.union([z.string(), z.undefined()]),
  piped: z.string().default("x").pipe(z.string()),
  constructor: z.string(),
};

const three = {
  plain: z3.string(),
  optional: z3.string().optional(),
  default: z3.string().default("x"),
  both: z3.string().default("x").optional(),
  caught: z3.string().catch("x"),
  filled: z3.preprocess((value) => value ?? "x", z3.string()),
  any: z3.any(),
  coerced: z3.coerce.string(),
  truthy: z3.coerce.boolean(),
  date: z3.coerce.date(),
  piped: z3.string().default("x").pipe(z3.string()),
  either: z3.union([z3.string(), z3.undefined()]),
};

type Fields<F> = { [name: string]: F };
type Row = [generation: string, names: string[], pick: (names: string[]) => z.ZodType | z3.ZodTypeAny];

const only = <F>(fields: Fields<F>, names: string[]): Fields<F> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

const objects: Row[] = [
  ["Zod 4", Object.keys(four), (names) => z.object(only<z.ZodType>(four, names))],
  ["zod/v3", Object.keys(three), (names) => z3.object(only<z3.ZodTypeAny>(three, names))],
];

const truth = suite("required");

for (const [generation, names, pick] of objects)
  for (const name of names)
    truth(`${generation}: what is said of "${name}" is what happens`, async () => {
      const part = pick([name]);
      const absent = part.safeParse({});
      assert.is((await requiredBy(part, "input")).includes(name), !absent.success);

      const printed = [{}, { [name]: undefined }, { [name]: SENT }]
        .map((value) => part.safeParse(value))
        .filter((result) => result.success);
      const always = printed.every(({ data }) => Object.hasOwn(JSON.parse(JSON.stringify(data)), name));
      assert.is((await requiredBy(part, "output")).includes(name), always);
    });

for (const [generation, all, pick] of objects)
  truth(`${generation}: an object is taken with exactly what it requires, whatever else is left out`, async () => {
    const names = all.slice(0, 10);
    const part = pick(names);
    const required = await requiredBy(part, "input");
    for (let subset = 0; subset < 2 ** names.length; subset++) {
      const sent = names.filter((_, bit) => subset & (1 << bit));
      const { success } = part.safeParse(Object.fromEntries(sent.map((name) => [name, SENT])));
      assert.is(
        success,
        required.every((name) => sent.includes(name)),
        `with ${sent.join()}`,
      );
    }
  });

truth("a record of known keys requires them where its values do", async () => {
  const keys = z.enum(["a", "b"]);
  const rows: [schema: z.ZodType, input: string[], output: string[]][] = [
    [z.record(keys, z.string()), ["a", "b"], ["a", "b"]],
    [z.record(keys, z.string().default("x")), [], ["a", "b"]],
    [z.record(keys, z.string().catch("x")), [], ["a", "b"]],
    [z.record(keys, z.string().optional()), [], []],
    [z.partialRecord(keys, z.string()), [], []],
  ];
  for (const [schema, input, output] of rows)
    assert.equal([await requiredBy(schema, "input"), await requiredBy(schema, "output")], [input, output]);
});

async function requiredBy(schema: Parameters<typeof toJsonSchema>[0], io: "input" | "output"): Promise<string[]> {
  const { $error, required = [] } = await toJsonSchema(schema, io);
  assert.is($error, undefined);
  return required as string[];
}

truth.run();
