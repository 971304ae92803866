import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import { toJsonSchema, toLooseSchema } from "../src/convert.ts";
import type { Schema } from "../src/types.ts";

/** A field of another Zod, as a project in plain JavaScript could write it. */
const alien = <T>(schema: Schema) => schema as unknown as T;

const uncarried: [why: string, schema: Schema][] = [
  ["tags.items: a Set has no JSON form", z.object({ tags: z.array(z.set(z.string())) })],
  ["a Map has no JSON form", z.map(z.string(), z.string())],
  ["a.properties: a symbol has no JSON form", z.object({ a: z.object({ properties: z.symbol() }) })],
  ["a: NaN has no JSON form", z.object({ a: z.nan().optional() })],
  ["a.1: a function has no JSON form", z.object({ a: z.tuple([z.string(), z.function()]) })],
  ["undefined has no JSON form", z.void()],
  ["a promise has no JSON form", z.promise(z.string())],
  ["a File has no JSON form", z.file()],
  ["a custom type has no JSON form", z.instanceof(URL)],
  ["the literal 1n has no JSON form", z.literal(["a", 1n])],
  ["the literal undefined has no JSON form", z.literal(undefined)],
  [
    "a: a default of undefined has no JSON form: leave it out, .optional() says the same",
    z.object({
      a: z
        .string()
        .optional()
        .default(undefined as never),
    }),
  ],
  [
    "a.items: a zod/v3 schema inside a Zod 4 one cannot be converted: build both with the same Zod",
    z.object({ a: z.array(alien<z.ZodType>(z3.string())) }),
  ],
  [
    "a: a Zod 4 schema inside a zod/v3 one cannot be converted: build both with the same Zod",
    z3.object({ a: alien<z3.ZodTypeAny>(z.string()) }),
  ],
  [
    "a.b: a Zod 4 schema inside a zod/v3 one cannot be converted: build both with the same Zod",
    z3.object({ a: z3.object({ b: alien<z3.ZodTypeAny>(mini.string()) }) }),
  ],
  ["a.items: a Set has no JSON form", z3.object({ a: z3.array(z3.set(z3.string())) })],
  ["a: a bigint has no JSON form", z3.object({ a: z3.union([z3.string(), z3.bigint()]) })],
  ["undefined has no JSON form", z3.void()],
  ["a function has no JSON form", z3.function()],
];

const refusing = suite("what JSON cannot carry");

for (const [why, schema] of uncarried)
  refusing(`answers "${why}"`, async () => {
    assert.equal(
      [await toJsonSchema(schema, "input"), await toJsonSchema(schema, "output")],
      [{ $error: why }, { $error: why }],
    );
  });

refusing("leaves what JSON cannot carry open for argv, and types the rest", async () => {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const open = { a: {}, b: { type: "number" } };
  const one = z.object({ a: z.set(z.string()), b: z.number() });
  assert.equal(await toLooseSchema(one), {
    $schema,
    type: "object",
    properties: open,
    required: ["a", "b"],
  });
  const two = z.object({ a: z.string().default(undefined as never), b: z.number() });
  assert.equal(await toLooseSchema(two), {
    $ref: "#/$defs/0",
    $defs: {
      0: { type: "object", properties: { a: { $ref: "#/$defs/1" }, b: { $ref: "#/$defs/3" } } },
      1: { $ref: "#/$defs/2" },
      2: { type: "string" },
      3: { type: "number" },
    },
  });
});

refusing.run();
