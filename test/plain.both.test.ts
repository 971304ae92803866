import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { accept, DOUBTED, REFUSED } from "../src/accept.ts";
import { type Plain, plainOf } from "../src/plain.ts";
import type { Schema } from "../src/types.ts";

const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
console.log(`FC_SEED=${seed}`);

const plain = suite("schemas that need no Zod to accept");

const email = String(z.email()._zod.def.pattern?.source);

const forms: [schema: Schema, plain: Plain][] = [
  [z.string(), { is: "string" }],
  [z.string().min(2).max(9).min(3), { is: "string", least: 3, most: 9 }],
  [z.string().length(4).describe("d").meta({ title: "t" }).brand("b"), { is: "string", least: 4, most: 4 }],
  [z.string().regex(/a.c/is), { is: "string", like: [["a.c", "is"]] }],
  [z.email(), { is: "string", like: [[email, String(z.email()._zod.def.pattern?.flags)]] }],
  [mini.string().check(mini.minLength(1)), { is: "string", least: 1 }],
  [z.number(), { is: "number" }],
  [
    z.int().gt(1).lte(9),
    {
      is: "number",
      whole: true,
      bounds: [
        [">", 1],
        ["<=", 9],
      ],
    },
  ],
  [z.number().int().positive(), { is: "number", whole: true, bounds: [[">", 0]] }],
  [z.boolean(), { is: "boolean" }],
  [z.null(), { is: "null" }],
  [z.any(), { is: "any" }],
  [z.unknown(), { is: "any" }],
  [z.enum(["a", "b"]), { is: "value", of: ["a", "b"] }],
  [z.literal(["a", 1, true, null]), { is: "value", of: ["a", 1, true, null] }],
  [z.array(z.string()).min(1).max(2), { is: "array", of: { is: "string" }, least: 1, most: 2 }],
  [z.object({ a: z.string() }), { is: "object", fields: { a: { is: "string" } }, others: "dropped" }],
  [z.strictObject({}), { is: "object", fields: {}, others: "refused" }],
  [z.looseObject({}), { is: "object", fields: {}, others: "kept" }],
  [z.record(z.string(), z.number()), { is: "record", of: { is: "number" } }],
  [z.string().optional(), { is: "optional", of: { is: "string" } }],
  [z.string().nullable(), { is: "nullable", of: { is: "string" } }],
  [z.string().nullish(), { is: "optional", of: { is: "nullable", of: { is: "string" } } }],
  [z.number().default(5), { is: "default", of: { is: "number" }, value: 5 }],
  [z.array(z.number()).default([1]), { is: "default", of: { is: "array", of: { is: "number" } }, value: [1] }],
  [z.union([z.string(), z.null()]), { is: "union", of: [{ is: "string" }, { is: "null" }] }],
  [
    z.discriminatedUnion("k", [z.object({ k: z.literal("a") })]),
    {
      is: "union",
      of: [{ is: "object", fields: { k: { is: "value", of: ["a"] } }, others: "dropped" }],
    },
  ],
];
for (const [schema, form] of forms)
  plain(`${JSON.stringify(form)} is all of one`, () => {
    assert.equal(plainOf(schema), form);
    assert.equal(JSON.parse(JSON.stringify(form)), form);
  });

const Own = z.core.$constructor("Own", (instance, def) => z.ZodString.init(instance as never, def as never));

const others: [what: string, schema: Schema][] = [
  ["a check of the author's", z.string().refine(() => true)],
  ["another inside", z.object({ a: z.array(z.string().check(() => {})) })],
  ["a transform", z.string().transform(String)],
  ["a preprocess", z.preprocess(String, z.string())],
  ["a pipe", z.string().pipe(z.string())],
  ["an overwrite", z.string().trim()],
  ["a coercion", z.coerce.number()],
  ["a catch", z.string().catch("a")],
  ["a prefault", z.string().prefault("a")],
  ["a readonly, which freezes", z.array(z.string()).readonly()],
  ["a lazy", z.lazy(() => z.string())],
  ["a custom", z.custom(() => true)],
  ["a kind of its own", new (Own as never as new (def: object) => z.ZodType)({ type: "string" })],
  ["a date", z.date()],
  ["a bigint", z.bigint()],
  ["a tuple", z.tuple([z.string()])],
  ["an intersection", z.string().and(z.string())],
  ["an exact optional", z.object({ a: z.string().exactOptional() })],
  ["an optional with a default inside", z.number().default(1).optional()],
  ["a union with a default", z.union([z.string(), z.number().default(1)])],
  ["an exclusive union", z.xor([z.string(), z.number()])],
  ["a discriminator with a default", z.discriminatedUnion("k", [z.object({ k: z.literal("a").default("a") })])],
  ["a default that is no JSON", z.date().or(z.string()).default(new Date(0))],
  ["a default that JSON would change", z.number().default(-0)],
  ["a literal that is no JSON", z.literal([1n, undefined])],
  ["a url", z.url()],
  ["a base64", z.string().base64()],
  ["a pattern that remembers", z.string().regex(/a/g)],
  ["a multiple", z.number().multipleOf(2)],
  ["a 32-bit integer", z.int32()],
  ["an endless bound", z.number().max(Infinity)],
  ["a record with keys of a kind", z.record(z.enum(["a"]), z.string())],
  ["a record with a default", z.record(z.string(), z.string().default("a"))],
  ["a key that every object has", z.object({ toString: z.string().optional() })],
  ["a symbol for a key", z.object({ [Symbol.iterator]: z.string() } as never)],
  ["others of a kind", z.object({}).catchall(z.string())],
  ["Zod 3", z3.string()],
];
for (const [what, schema] of others) plain(`${what} is not plain`, () => assert.is(plainOf(schema), undefined));

/** Doubted is what Zod takes, where versions of it differ or JavaScript has more than JSON. */
const doubted: [what: string, schema: z.ZodType, value: unknown][] = [
  ["what is missing where there may be anything", z.unknown(), undefined],
  ["a text whose length is counted in two ways", z.string().max(1), "😀"],
  [
    "an instance of a class",
    z.object({ a: z.string() }),
    new (class {
      a = "b";
    })(),
  ],
  ["a field that is inherited", z.object({ a: z.string() }), Object.create({ a: "b" })],
  ["a record with hidden keys", z.record(z.string(), z.string()), Object.defineProperty({}, "a", { value: "b" })],
  ["an alternative after one in doubt", z.union([z.object({ a: z.unknown() }), z.object({})]), { b: 1 }],
  ["a __proto__ that would be lost", z.looseObject({}), JSON.parse('{"__proto__":1}')],
];
for (const [what, schema, value] of doubted)
  plain(`${what} is for Zod`, () => {
    const form = plainOf(schema);
    assert.ok(form && schema.safeParse(value).success);
    assert.is(accept(form, value), DOUBTED);
  });

plain("a default is another one each time", () => {
  const form = plainOf(z.array(z.object({ tags: z.array(z.string()).default([]) }))) as Plain;
  const [one, other] = accept(form, [{}, {}]) as { tags: string[] }[];
  one?.tags.push("a");
  assert.equal(other, { tags: [] });
});

plain("a method of lists that a handler replaces is not asked", () => {
  const schema = z.object({
    e: z.enum(["a"]),
    n: z.number().min(1),
    s: z.string().min(1).regex(/a/),
    u: z.union([z.null()]),
  });
  const form = plainOf(schema) as Plain;
  const value = { e: "a", n: 1, s: "a", u: null };
  const { every, includes, some, map } = Array.prototype;
  const iterate = Array.prototype[Symbol.iterator];
  const broken = () => assert.unreachable("it was asked");
  const replace = (methods: object) => Object.assign(Array.prototype, methods);
  replace({ every: broken, includes: broken, some: broken, map: broken, [Symbol.iterator]: broken });
  try {
    const accepted = accept(form, value);
    replace({ every, includes, some, map, [Symbol.iterator]: iterate });
    assert.equal(accepted, value);
  } finally {
    replace({ every, includes, some, map, [Symbol.iterator]: iterate });
  }
});

plain("what somebody puts into all objects is no rule", () => {
  const form = plainOf(z.object({ s: z.string(), n: z.number(), l: z.array(z.null()) })) as Plain;
  const rules = { least: 5, most: 0, like: [["x", ""]], whole: true, bounds: [["<", 0]] };
  Object.assign(Object.prototype, rules);
  const accepted = accept(form, { s: "a", n: 0.5, l: [null] });
  for (const rule of Object.keys(rules)) Reflect.deleteProperty(Object.prototype, rule);
  assert.equal(accepted, { s: "a", n: 0.5, l: [null] });
});

type Pair = { schema: z.ZodType; value: fc.Arbitrary<unknown> };

const key = fc.constantFrom("a", "b", "1", "a-b", "ü");
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.record({ least: fc.nat(3), most: fc.integer({ min: 3, max: 5 }) }).map(({ least, most }) => ({
    schema: z.string().min(least).max(most),
    value: fc.oneof(fc.string({ minLength: least, maxLength: most }), fc.string({ unit: "binary" })),
  })),
  fc.record({ least: fc.integer(), span: fc.nat(), whole: fc.boolean(), open: fc.boolean() }).map((given) => {
    const bounded = z
      .number()
      [given.open ? "gt" : "gte"](given.least)
      [given.open ? "lt" : "lte"](given.least + given.span);
    const inside = fc.integer({ min: given.least, max: given.least + given.span });
    return { schema: given.whole ? bounded.int() : bounded, value: fc.oneof(inside, fc.double(), fc.integer()) };
  }),
  fc.constant({ schema: z.boolean(), value: fc.boolean() }),
  fc.constant({ schema: z.null(), value: fc.constant(null) }),
  fc.constant({ schema: z.any(), value: fc.jsonValue({ maxDepth: 1 }) }),
  fc.constant({ schema: z.unknown(), value: fc.constantFrom(undefined, 1n, {}) }),
  fc.constant({ schema: z.enum(["x", "y"]), value: fc.constantFrom("x", "y", "z") }),
  fc.constant({ schema: z.literal([1, "x", null]), value: fc.constantFrom(1, "x", null, -1, 0) }),
  fc.constant({
    schema: z.string().regex(/^[a-c]+$/),
    value: fc.string({ unit: fc.constantFrom("a", "b", "c", "d") }),
  }),
  fc.constant({ schema: z.iso.date(), value: fc.constantFrom("2020-02-29", "2021-02-29", "no") }),
);

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, -0, 5n, Symbol.iterator, new Date(0), () => 1, Array(1)),
);

const { pair } = fc.letrec<{ pair: Pair }>((tie) => {
  const inner = tie("pair");
  const wrapped = (wrap: (schema: z.ZodType) => z.ZodType, others: fc.Arbitrary<unknown>) =>
    inner.map(({ schema, value }) => ({ schema: wrap(schema), value: fc.oneof(value, others) }));
  return {
    pair: fc.oneof(
      { depthIdentifier: "p", maxDepth: 3 },
      leaf,
      wrapped((schema) => z.array(schema).max(2), anything).map(({ schema, value }) => ({
        schema,
        value: fc.array(value, { maxLength: 3 }),
      })),
      wrapped((schema) => z.record(z.string(), schema), anything).map(({ schema, value }) => ({
        schema,
        value: fc.dictionary(fc.string(), value, { maxKeys: 3, noNullPrototype: true }),
      })),
      wrapped((schema) => schema.optional(), fc.constant(undefined)),
      wrapped((schema) => schema.nullable(), fc.constant(null)),
      wrapped((schema) => schema.default("d"), fc.constant(undefined)),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((pairs) => ({
        schema: z.union(pairs.map(({ schema }) => schema) as [z.ZodType]),
        value: fc.oneof(...pairs.map(({ value }) => value)),
      })),
      fc
        .tuple(
          fc.dictionary(key, inner, { noNullPrototype: true, maxKeys: 4 }),
          fc.constantFrom("strip", "strict", "loose"),
        )
        .map(([pairs, mode]) => ({
          schema: z
            .object(Object.fromEntries(Object.entries(pairs).map(([key, { schema }]) => [key, schema])))
            [mode as "strip"](),
          value: fc
            .tuple(
              fc.record(Object.fromEntries(Object.entries(pairs).map(([key, { value }]) => [key, value])), {
                requiredKeys: [],
                noNullPrototype: true,
              }),
              fc.dictionary(fc.oneof(key, fc.constantFrom("__proto__", "constructor", "z")), anything, { maxKeys: 1 }),
              fc.boolean(),
            )
            .map(([known, unknown, both]) => (both ? { ...known, ...unknown } : known)),
        })),
    ),
  };
});

const sample = pair.chain(({ schema, value }) =>
  fc.record({ schema: fc.constant(schema), value: fc.oneof(value, anything) }),
);

/** Of the whole run, so that it shows when nothing is accepted. */
const seen = { plain: 0, accepted: 0, doubted: 0 };

plain("what is accepted is what Zod makes of it", () =>
  fc.assert(
    fc.property(sample, ({ schema, value }) => {
      const form = plainOf(schema);
      if (form === undefined) return;
      seen.plain++;
      const accepted = accept(JSON.parse(JSON.stringify(form)), value);
      const { success, data } = schema.safeParse(value);
      const told = () =>
        [form, value, accepted, data].map((one) => inspect(one, { depth: 9 })).join("\n") +
        "\nthe form, the value, what was made of it, and by Zod";
      if (accepted === DOUBTED) seen.doubted++;
      else if (accepted === REFUSED) assert.not(success, told());
      else {
        seen.accepted++;
        assert.ok(success, told());
        assert.ok(isDeepStrictEqual(accepted, data) && inspect(accepted) === inspect(data), told());
      }
    }),
    { seed, numRuns: 10_000 },
  ),
);

plain("and little is left in doubt", () => {
  assert.ok(seen.plain > 5_000 && seen.accepted > seen.plain / 5, JSON.stringify(seen));
  assert.ok(seen.doubted < seen.plain / 5, JSON.stringify(seen));
});

plain.run();
