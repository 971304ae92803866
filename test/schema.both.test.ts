import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import { toJsonSchema } from "../src/convert.ts";
import { isSchema, isZod4 } from "../src/schema.ts";
import type { Schema } from "../src/types.ts";

const draft2020 = "https://json-schema.org/draft/2020-12/schema";
const draft7 = "http://json-schema.org/draft-07/schema#";
const date = { type: "string", format: "date-time" };
const bigint = { anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?\\d+$" }] };

/** What an object of these properties looks like on each side, with what it requires there. */
const sides = (
  $schema: string,
  input: string[],
  output: string[],
  properties: object,
): [input: object, output: object] => [
  { $schema, type: "object", properties, ...(input.length > 0 && { required: input }) },
  { $schema, type: "object", properties, ...(output.length > 0 && { required: output }), additionalProperties: false },
];

const Node = z.object({
  name: z.string().default("x"),
  get kids() {
    return z.array(Node).default([]);
  },
});
const Leaf = z.object({ a: z.string().catch("x") }).meta({ id: "schema.test.Leaf" });
const leaf = { type: "object", properties: { a: { type: "string", default: "x" } } };

const zod4: [name: string, schema: Schema, input: object, output: object][] = [
  [
    "requires only what must be sent, and all that always comes out",
    z.object({
      kept: z.string(),
      default: z.number().default(1),
      caught: z.number().catch(2),
      filled: z.preprocess((value) => value ?? "x", z.string()),
      optional: z.string().optional(),
      both: z.string().default("z").optional(),
      any: z.any(),
    }),
    ...sides(draft2020, ["kept", "any"], ["kept", "default", "caught", "filled", "both"], {
      kept: { type: "string" },
      default: { type: "number", default: 1 },
      caught: { type: "number", default: 2 },
      filled: { type: "string" },
      optional: { type: "string" },
      both: { type: "string", default: "z" },
      any: {},
    }),
  ],
  [
    "keeps an async field required, and leaves no rejection behind",
    z.object({
      rejects: z.preprocess(async (value: string) => value.trim(), z.string()),
      hangs: z.preprocess(() => new Promise(() => {}), z.string()),
      refined: z.any().refine(async (value) => value.x),
    }),
    ...sides(draft2020, ["rejects", "hangs", "refined"], ["rejects", "hangs", "refined"], {
      rejects: { type: "string" },
      hangs: { type: "string" },
      refined: {},
    }),
  ],
  [
    "writes a date as its ISO string",
    z.object({ plain: z.date().describe("when"), coerced: z.coerce.date().default(new Date(0)) }),
    ...sides(draft2020, ["plain"], ["plain", "coerced"], {
      plain: { ...date, description: "when" },
      coerced: { ...date, default: "1970-01-01T00:00:00.000Z" },
    }),
  ],
  [
    "takes a coerced bigint as an integer or its digits",
    z.object({ a: z.coerce.bigint(), b: z.coerce.bigint().default(0n), c: z.coerce.bigint().catch(1n) }),
    sides(draft2020, ["a"], [], { a: bigint, b: { ...bigint, default: "0" }, c: { ...bigint, default: "1" } })[0],
    { $error: "a: a bigint has no JSON form; b: a bigint has no JSON form; c: a bigint has no JSON form" },
  ],
  [
    "describes what goes into a transform, and asks for what comes out",
    z.object({ a: z.string().transform(Number), b: z.number().default(1) }),
    sides(draft2020, ["a"], [], { a: { type: "string" }, b: { type: "number", default: 1 } })[0],
    { $error: "a: what a transform makes is unknown: .pipe() it into a schema that says so" },
  ],
  [
    "lists the properties under a refinement",
    z.object({ a: z.string(), b: z.number().default(1) }).superRefine(() => {}),
    ...sides(draft2020, ["a"], ["a", "b"], { a: { type: "string" }, b: { type: "number", default: 1 } }),
  ],
  [
    "tells the truth in $defs",
    z.object({ one: Leaf, two: Leaf.describe("second") }),
    ...(sides(draft2020, ["one", "two"], ["one", "two"], {
      one: { $ref: "#/$defs/schema.test.Leaf" },
      two: { $ref: "#/$defs/schema.test.Leaf", description: "second" },
    }).map((side, io) => ({
      ...side,
      $defs: { "schema.test.Leaf": io === 0 ? leaf : { ...leaf, required: ["a"], additionalProperties: false } },
    })) as [object, object]),
  ],
  [
    "tells the truth in a recursion",
    Node,
    ...sides(draft2020, [], ["name", "kids"], {
      name: { type: "string", default: "x" },
      kids: { type: "array", items: { $ref: "#" }, default: [] },
    }),
  ],
  [
    "tells the truth about tuples",
    z.tuple([z.string(), z.number().catch(0), z.string().optional()]),
    ...([1, 2].map((minItems) => ({
      $schema: draft2020,
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number", default: 0 }, { type: "string" }],
      items: false,
      minItems,
      maxItems: 3,
    })) as [object, object]),
  ],
  [
    "takes undefined in a union for absence",
    z.object({ a: z.union([z.string(), z.undefined()]) }),
    ...sides(draft2020, ["a"], [], { a: { type: "string" } }),
  ],
  [
    "takes keys that every object inherits for plain names",
    z.object({ ["__proto__"]: z.string(), valueOf: z.string() }),
    ...sides(draft2020, ["valueOf"], ["valueOf"], { ["__proto__"]: { type: "string" }, valueOf: { type: "string" } }),
  ],
  [
    "drops a default and a bound that JSON has no value for",
    z.object({ a: z.number().max(Infinity).default(NaN), b: z.any().default(new Map()) }),
    ...sides(draft2020, [], ["a", "b"], { a: { type: "number" }, b: {} }),
  ],
  [
    "admits anything where a preprocess makes what JSON has not",
    z.object({ a: z.preprocess((value) => new Set([value ?? "x"]), z.set(z.string())) }),
    sides(draft2020, [], [], { a: {} })[0],
    { $error: "a: a Set has no JSON form" },
  ],
  [
    "converts zod/mini",
    mini.object({ a: mini._default(mini.string(), "x"), b: mini.optional(mini.number()) }),
    ...sides(draft2020, [], ["a"], { a: { type: "string", default: "x" }, b: { type: "number" } }),
  ],
];

const cyclic: z3.ZodTypeAny = z3.object({ "a/b": z3.object({ next: z3.lazy(() => cyclic).optional() }) });

const zod3: [name: string, schema: Schema, input: object, output: object][] = [
  [
    "requires only what must be sent, and all that always comes out",
    z3.object({
      kept: z3.string(),
      default: z3.number().default(1),
      caught: z3.number().catch(2),
      filled: z3.preprocess((value) => value ?? "x", z3.string()),
      optional: z3.string().optional(),
      any: z3.any(),
      date: z3.coerce.date().default(new Date(0)),
      null: z3.literal(null),
    }),
    ...sides(draft7, ["kept", "null"], ["kept", "default", "caught", "filled", "date", "null"], {
      kept: { type: "string" },
      default: { type: "number", default: 1 },
      caught: { type: "number" },
      filled: { type: "string" },
      optional: { type: "string" },
      any: {},
      date: { ...date, default: "1970-01-01T00:00:00.000Z" },
      null: { type: "null" },
    }),
  ],
  [
    "keeps an async field required, and leaves no rejection behind",
    z3.object({ a: z3.preprocess(async (value) => (value as string).trim(), z3.string()) }),
    ...sides(draft7, ["a"], ["a"], { a: { type: "string" } }),
  ],
  [
    "takes a coerced bigint as an integer or its digits, in a choice too",
    z3.object({ a: z3.coerce.bigint().default(0n), b: z3.coerce.bigint().nullable() }),
    sides(draft7, ["b"], [], { a: { ...bigint, default: "0" }, b: { anyOf: [bigint, { type: "null" }] } })[0],
    { $error: "a: a bigint has no JSON form; b: a bigint has no JSON form" },
  ],
  [
    "follows a pipe to its own side, and a transform to the side that is known",
    z3.object({ a: z3.string().pipe(z3.coerce.number()), b: z3.string().transform(Number) }),
    sides(draft7, ["a", "b"], [], { a: { type: "string" }, b: { type: "string" } })[0],
    { $error: "b: what a transform makes is unknown: .pipe() it into a schema that says so" },
  ],
  [
    "points back where a schema holds itself",
    cyclic,
    ...(["input", "output"].map((io) => {
      const closed = io === "output" && { additionalProperties: false };
      const inner = { type: "object", properties: { next: { $ref: "#" } }, ...closed };
      return { $schema: draft7, type: "object", properties: { "a/b": inner }, required: ["a/b"], ...closed };
    }) as [object, object]),
  ],
  ["leaves a real any alone", z3.any(), { $schema: draft7 }, { $schema: draft7 }],
];

const converting = suite("toJsonSchema");

for (const [generation, table] of Object.entries({ "Zod 4": zod4, "zod/v3": zod3 }))
  for (const [name, schema, input, output] of table)
    converting(`${generation}: ${name}`, async () => {
      const both = Promise.all([toJsonSchema(schema, "input"), toJsonSchema(schema, "output")]);
      assert.equal(await both, [input, output]);
      assert.equal(JSON.stringify(await toJsonSchema(schema, "input")), JSON.stringify((await both)[0]));
    });

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const things: [name: string, thing: unknown, schema: boolean, four: boolean][] = [
  ["a Zod 4 schema", z.string(), true, true],
  ["a zod/mini schema", mini.string(), true, true],
  ["a zod/v3 schema", z3.string(), true, false],
  ["a check", mini.minLength(1), false, false],
  ["an empty object", {}, false, false],
  ["null", null, false, false],
  ["a string", "string", false, false],
];
for (const [name, thing, schema, four] of things)
  converting(`knows ${name}`, () => assert.equal([isSchema(thing), isZod4(thing)], [schema, four]));
converting("survives a revoked proxy", () => assert.is(isSchema(revoked), false));

converting.run();
