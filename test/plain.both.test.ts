import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { accept } from "../src/accept.ts";
import { type Plain, plainOf } from "../src/plain.ts";
import { DOUBTED, REFUSED } from "../src/scalars.ts";
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
  [
    z.string().min(2).trim().min(1).toLowerCase().regex(/a/),
    {
      is: "string",
      least: 2,
      next: ["trim", { is: "string", least: 1, next: ["toLowerCase", { is: "string", like: [["a", ""]] }] }],
    },
  ],
  [mini.string().check(mini.toUpperCase()), { is: "string", next: ["toUpperCase", { is: "string" }] }],
  [
    z.string().startsWith("a.").endsWith("b").includes("/"),
    {
      is: "string",
      like: [
        ["^a\\.", ""],
        ["b$", ""],
        ["\\/", ""],
      ],
    },
  ],
  [z.ipv4().max(9), { is: "string", like: [[String(z.ipv4()._zod.def.pattern?.source), ""]], most: 9 }],
  [z.string().uppercase(), { is: "string", like: [["^[^a-z]*$", ""]] }],
  [z.url().min(9), { is: "string", url: [{}], least: 9 }],
  [z.url({ protocol: /^https?$/ }), { is: "string", url: [{ protocol: ["^https?$", ""] }] }],
  [z.coerce.string().trim(), { is: "coerced", of: { is: "string", next: ["trim", { is: "string" }] } }],
  [z.coerce.number().min(1), { is: "coerced", of: { is: "number", bounds: [[">=", 1]] } }],
  [z.coerce.boolean(), { is: "coerced", of: { is: "boolean" } }],
  [z.coerce.date().max(new Date(5)), { is: "coerced", of: { is: "date", bounds: [["<=", 5]] } }],
  [z.date(), { is: "date" }],
  [z.number().multipleOf(2).multipleOf(3), { is: "number", steps: [2, 3] }],
  [
    z.int32(),
    {
      is: "number",
      whole: true,
      bounds: [
        [">=", -2147483648],
        ["<=", 2147483647],
      ],
    },
  ],
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
  [
    z.record(z.enum(["a", "b"]), z.null()),
    { is: "object", fields: { a: { is: "null" }, b: { is: "null" } }, others: "refused" },
  ],
  [
    z.partialRecord(z.enum(["a", "b"]), z.null()),
    { is: "record", of: { is: "null" }, keys: { is: "value", of: ["a", "b"] } },
  ],
  [
    z.record(z.string().max(2), z.null().default(null)),
    {
      is: "record",
      of: { is: "present", of: { is: "default", of: { is: "null" }, value: null } },
      keys: { is: "string", most: 2 },
    },
  ],
  [z.tuple([z.string(), z.null()]), { is: "tuple", of: [{ is: "string" }, { is: "null" }] }],
  [
    z.tuple([z.string().default("a")], z.null()),
    {
      is: "tuple",
      of: [{ is: "present", of: { is: "default", of: { is: "string" }, value: "a" } }],
      rest: { is: "null" },
    },
  ],
  [z.string().pipe(z.string().max(2)), { is: "pipe", of: [{ is: "string" }, { is: "string", most: 2 }] }],
  [z.array(z.null()).readonly(), { is: "readonly", of: { is: "array", of: { is: "null" } } }],
  [z.string().prefault("a"), { is: "prefault", of: { is: "string" }, value: "a" }],
  [z.number().default(1).optional(), { is: "present", of: { is: "default", of: { is: "number" }, value: 1 } }],
  [
    z.union([z.null(), z.number().default(1)]),
    { is: "union", of: [{ is: "null" }, { is: "present", of: { is: "default", of: { is: "number" }, value: 1 } }] },
  ],
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
  ["a catch", z.string().catch("a")],
  ["a lazy", z.lazy(() => z.string())],
  ["a custom", z.custom(() => true)],
  ["a kind of its own", new (Own as never as new (def: object) => z.ZodType)({ type: "string" })],
  ["a bigint", z.bigint()],
  ["an intersection", z.string().and(z.string())],
  ["an exact optional", z.object({ a: z.string().exactOptional() })],
  ["an exclusive union", z.xor([z.string(), z.number()])],
  ["a discriminator with a default", z.discriminatedUnion("k", [z.object({ k: z.literal("a").default("a") })])],
  ["a default that is no JSON", z.date().or(z.string()).default(new Date(0))],
  ["a default that JSON would change", z.number().default(-0)],
  ["a literal that is no JSON", z.literal([1n, undefined])],
  ["an overwrite of the author's", z.string().overwrite((text) => text.trimStart())],
  ["a normalization", z.string().normalize()],
  ["a check at times", z.string().check(z.minLength(1, { when: () => false } as object))],
  ["a multiple of a fraction", z.number().multipleOf(0.1)],
  ["a pipe with a transform", z.string().pipe(z.transform(String))],
  ["a pipe from nothing", z.string().optional().pipe(z.string().optional())],
  ["a codec", z.codec(z.string(), z.string(), { decode: String, encode: String })],
  ["a url that is completed", z.url({ normalize: true })],
  ["a record with rewritten keys", z.record(z.string().trim(), z.string())],
  ["a record of all with a default", z.record(z.enum(["a"]), z.string().default("a"))],
  ["a record with keys that are numbers", z.record(z.literal([1, 2]), z.string())],
  ["a loose record", z.looseRecord(z.string().regex(/a/), z.string())],
  ["a base64", z.string().base64()],
  ["a pattern that remembers", z.string().regex(/a/g)],
  ["an endless bound", z.number().max(Infinity)],
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
  fc
    .tuple(
      fc.constantFrom<(text: z.ZodString) => z.ZodString>(
        (text) => text.trim().min(1),
        (text) => text.min(2).trim(),
        (text) => text.toUpperCase().regex(/^[^a-z]*$/),
        (text) => text.max(4).toLowerCase().trim().startsWith("a").length(2),
        (text) => text.includes("a").endsWith(" ").trim(),
      ),
      fc.constantFrom(z.string(), z.coerce.string()),
    )
    .map(([rules, text]) => ({
      schema: rules(text as z.ZodString),
      value: fc.oneof(
        fc.string({ unit: fc.constantFrom("a", " ", "B", "\u00a0", "ß", "😀"), maxLength: 5 }),
        fc.integer(),
      ),
    })),
  fc.constantFrom(z.url(), z.url({ protocol: /^https?$/, hostname: /^[a-z.]+$/ }), z.string().url()).map((schema) => ({
    schema,
    value: fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.constantFrom(
        "http://a.b",
        "https://A.b/",
        " http://a.b/",
        "http:/a.b",
        "mailto:a@b",
        "ftp://a/",
        "http://a b",
      ),
      fc.constantFrom(
        "http://a.b/\n",
        "http://ü.de/",
        "http://a.b/?q=ü",
        "data:x ",
        "http://1/",
        "\u00a0http://a/",
        "x:",
      ),
    ),
  })),
  fc
    .constantFrom(
      z.ipv4(),
      z.uuidv4(),
      z.cuid2(),
      z.ulid(),
      z.nanoid(),
      z.e164(),
      z.cidrv4(),
      z.iso.duration(),
      z.emoji(),
    )
    .map((schema) => ({
      schema,
      value: fc.oneof(
        fc.ipV4(),
        fc.uuid(),
        fc.ulid(),
        fc.constantFrom(
          "10.0.0.0/8",
          "+4915112345678",
          "P1DT2H",
          "😀",
          "",
          "V1StGXR8_Z5jdHi6B-myT",
          "tz4a98xxat96iws9zmbrgj3a",
        ),
      ),
    })),
  fc
    .constantFrom(
      z.coerce.number(),
      z.coerce.number().int().min(0),
      z.number().multipleOf(3),
      z.int32(),
      z.uint32(),
      z.float32(),
    )
    .map((schema) => ({
      schema,
      value: fc.oneof(
        fc.integer(),
        fc.double(),
        fc.constantFrom<unknown>(
          "5",
          " 5 ",
          "0x10",
          "",
          null,
          true,
          1e21,
          2 ** 31,
          -(2 ** 31),
          2 ** 32,
          3e15,
          9e15,
          -3,
          0.3,
        ),
      ),
    })),
  fc
    .constantFrom(z.date(), z.coerce.date(), z.date().min(new Date(5)), z.coerce.date().max(new Date(2e12)))
    .map((schema) => ({
      schema,
      value: fc.oneof(
        fc.date(),
        fc.date({ noInvalidDate: true }).map(String),
        fc.constantFrom<unknown>(5, "2020", "", null, true),
      ),
    })),
  fc.constant({ schema: z.coerce.boolean(), value: fc.oneof(fc.boolean(), fc.constantFrom("false", "", 0, null)) }),
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
      fc
        .tuple(
          fc.constantFrom(z.enum(["a", "b"]), z.literal("a"), z.string().max(1), z.string().regex(/^[ab]/)),
          inner,
          fc.boolean(),
        )
        .map(([keys, { schema, value }, isPartial]) => ({
          schema: isPartial ? z.partialRecord(keys, schema) : z.record(keys as z.ZodString, schema),
          value: fc.dictionary(fc.constantFrom("a", "b", "c", "1"), value, { maxKeys: 3, noNullPrototype: true }),
        })),
      fc.tuple(inner, inner, fc.constantFrom("none", "rest")).map(([one, other, rest]) => ({
        schema: rest === "none" ? z.tuple([one.schema, other.schema]) : z.tuple([one.schema], other.schema),
        value: fc.oneof(
          fc.tuple(one.value, other.value),
          fc.tuple(one.value),
          fc.tuple(one.value, other.value, other.value),
          fc.constant([]),
        ),
      })),
      fc
        .tuple(inner, inner)
        .map(([one, other]) => ({ schema: one.schema.pipe(other.schema as never), value: one.value })),
      wrapped((schema) => schema.pipe(schema), anything),
      wrapped((schema) => schema.readonly(), anything),
      wrapped((schema) => schema.prefault("d"), fc.constant(undefined)),
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

/** A readonly schema freezes what it was given, as it stands in an `any`. */
const copyOf = (value: unknown) => {
  try {
    return structuredClone(value);
  } catch {
    return value; // a function, a symbol
  }
};

plain("what is accepted is what Zod makes of it", () =>
  fc.assert(
    fc.property(sample, ({ schema, value }) => {
      const form = plainOf(schema);
      if (form === undefined) return;
      seen.plain++;
      const accepted = accept(JSON.parse(JSON.stringify(form)), copyOf(value));
      const { success, data } = schema.safeParse(copyOf(value));
      const told = () =>
        [form, value, accepted, data].map((one) => inspect(one, { depth: 9 })).join("\n") +
        "\nthe form, the value, what was made of it, and by Zod";
      if (accepted === DOUBTED) seen.doubted++;
      else if (accepted === REFUSED) assert.not(success, told());
      else {
        seen.accepted++;
        assert.ok(success, told());
        assert.ok(isDeepStrictEqual(accepted, data) && inspect(accepted) === inspect(data), told());
        assert.is(Object.isFrozen(accepted), Object.isFrozen(data), told());
      }
    }),
    { seed, numRuns: 10_000 },
  ),
);

plain("and little is left in doubt", () => {
  assert.ok(seen.plain > 5_000 && seen.accepted > seen.plain / 5, JSON.stringify(seen));
  assert.ok(seen.doubted < seen.plain / 2, JSON.stringify(seen));
});

plain.run();
