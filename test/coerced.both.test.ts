import { inspect, isDeepStrictEqual } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { Tool } from "../src/index.ts";
import { replyTo } from "../src/tool.ts";
import type { Schema } from "../src/types.ts";

/** What `z.coerce` makes something else of; undefined where nothing may come of it but a refusal. */
type Kind = { four: z.ZodType; three: z3.ZodTypeAny; sent: [sent: unknown, meant: unknown][] };

const kinds: Record<string, Kind> = {
  boolean: {
    four: z.coerce.boolean(),
    three: z3.coerce.boolean(),
    sent: [
      ["true", true],
      ["false", false],
      ["no", false],
      ["maybe", undefined],
      ["", undefined],
      [null, undefined],
      [[], undefined],
    ],
  },
  number: {
    four: z.coerce.number(),
    three: z3.coerce.number(),
    sent: [
      ["5", 5],
      ["", undefined],
      [" ", undefined],
      ["0x10", undefined],
      [null, undefined],
      [true, undefined],
      [[], undefined],
    ],
  },
  bigint: {
    four: z.coerce.bigint(),
    three: z3.coerce.bigint(),
    sent: [
      ["5", 5n],
      ["", undefined],
      ["0x10", undefined],
      [true, undefined],
    ],
  },
  date: {
    four: z.coerce.date(),
    three: z3.coerce.date(),
    sent: [
      ["2020-01-01", new Date("2020-01-01")],
      [null, undefined],
      [" ", undefined],
      [false, undefined],
    ],
  },
  string: {
    four: z.coerce.string(),
    three: z3.coerce.string(),
    sent: [
      ["5", "5"],
      [null, undefined],
      [{}, undefined],
      [["x"], undefined],
    ],
  },
};

/** A field that holds a coerced schema somewhere, and the value that brings one there. */
type Holder<S> = [name: string, hold: (inner: S) => S, put?: (value: unknown) => unknown];

let ids = 0;
const broken = z
  .string()
  .optional()
  .default(undefined as never);
const throwing = z.string().default(() => {
  throw new Error("no default here");
});
const alike = () =>
  z
    .string()
    .meta({ id: `alike${ids}` })
    .optional();
const inList = (value: unknown) => [value];
const inObject = (value: unknown) => ({ k: value });
const withX = (value: unknown) => ({ k: value, x: "x" });
const asJson = z.string().or(z.number());

const fourfold: Holder<z.ZodType>[] = [
  ["nothing", (inner) => inner],
  ["optional", (inner) => inner.optional()],
  ["nullish", (inner) => inner.nullish()],
  ["default", (inner) => inner.default(0)],
  ["prefault", (inner) => inner.prefault(0)],
  ["catch that looks", (inner) => inner.catch(({ issues }: { issues: unknown[] }) => issues.length > 0 && CAUGHT)],
  ["readonly", (inner) => inner.readonly()],
  ["nonoptional", (inner) => inner.optional().nonoptional()],
  ["brand", (inner) => inner.brand("x").describe("x")],
  ["refinement", (inner) => inner.refine(() => true)],
  ["lazy", (inner) => z.lazy(() => inner)],
  ["promise", (inner) => z.promise(inner)],
  ["id", (inner) => inner.meta({ id: `coerced${++ids}` })],
  ["default of undefined", (inner) => inner.optional().default(undefined)],
  ["transform", (inner) => inner.transform((value) => value)],
  ["preprocess", (inner) => z.preprocess((value) => value, inner)],
  ["pipe from it", (inner) => inner.pipe(z.any())],
  ["pipe from any", (inner) => z.any().pipe(inner)],
  ["pipe from unknown, twice", (inner) => z.unknown().pipe(z.any()).pipe(inner)],
  ["pipe of objects", (inner) => z.object({ k: z.any() }).pipe(z.object({ k: inner })), inObject],
  ["pipe into an object", (inner) => z.any().pipe(z.object({ k: z.array(inner) })), (value) => ({ k: [value] })],
  ["codec", (inner) => z.codec(inner, z.any(), { decode: (value) => value, encode: (value) => value as never })],
  ["array", (inner) => z.array(inner), inList],
  ["array of arrays", (inner) => z.array(z.array(inner)), (value) => [[value]]],
  ["tuple", (inner) => z.tuple([z.string(), inner]), (value) => ["x", value]],
  ["rest of a tuple", (inner) => z.tuple([z.string()]).rest(inner), (value) => ["x", value]],
  ["object", (inner) => z.object({ k: inner }), inObject],
  ["strict object", (inner) => z.strictObject({ k: inner, x: alike(), y: alike() }), inObject],
  ["catchall", (inner) => z.object({ x: asJson.optional() }).catchall(inner), inObject],
  ["record", (inner) => z.record(z.string(), inner), inObject],
  ["record of known keys", (inner) => z.record(z.enum(["k"]), inner), inObject],
  ["partial record", (inner) => z.partialRecord(z.enum(["k", "l"]), inner), inObject],
  ["loose record", (inner) => z.looseRecord(z.string().regex(/^k/), inner), inObject],
  ["union", (inner) => z.union([z.literal("x"), inner])],
  ["union of lists", (inner) => z.union([z.array(z.literal("x")), z.array(inner)]), inList],
  ["union of a list and an object", (inner) => z.union([z.array(inner), z.object({ k: inner })]), inList],
  [
    "union of objects that disagree",
    (inner) => z.union([z.object({ k: z.tuple([inner]) }), z.object({ k: z.object({ x: inner }) })]),
    (value) => ({ k: [value] }),
  ],
  [
    "discriminated union",
    (inner) =>
      z.discriminatedUnion("t", [
        z.object({ t: z.literal("a"), k: inner }),
        z.object({ t: z.literal("b"), k: asJson }),
      ]),
    (value) => ({ t: "a", k: value }),
  ],
  ["intersection", (inner) => z.intersection(z.object({ k: inner }), z.object({ x: z.string().optional() })), inObject],
  [
    "intersection with a record",
    (inner) => z.intersection(z.object({ x: z.any().optional() }), z.record(z.string(), inner)),
    inObject,
  ],
  ["intersection of unions", (inner) => crossed(inner), inObject],
  ["neighbour with a broken default", (inner) => z.object({ k: inner, x: broken }), withX],
  ["neighbour with a throwing default", (inner) => z.object({ k: inner, x: throwing }), withX],
  ["recursion", (inner) => nested(inner, z.string()), (value) => ({ kids: [{ k: value }] })],
  ["recursion with a broken neighbour", (inner) => nested(inner, broken), (value) => ({ kids: [{ k: value }] })],
];

function nested(inner: z.ZodType, other: z.ZodType): z.ZodType {
  const node = z.object({
    k: inner.optional(),
    other: other.optional(),
    get kids() {
      return z.array(node).optional();
    },
  });
  return node;
}

/** More combinations than anybody can look at. */
function crossed(inner: z.ZodType): z.ZodType {
  const options = ["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => z.object({ [key]: z.string().optional() }));
  const unions = Array.from({ length: 12 }, () => z.union(options));
  return unions.reduce<z.ZodType>((all, union) => z.intersection(all, union), z.object({ k: inner }));
}

const threefold: Holder<z3.ZodTypeAny>[] = [
  ["nothing", (inner) => inner],
  ["optional", (inner) => inner.optional()],
  ["nullish", (inner) => inner.nullish()],
  ["default", (inner) => inner.default(0)],
  ["throwing default", (inner) => z3.object({ k: inner, x: z3.string().default(never) }), withX],
  ["catch", (inner) => inner.catch(CAUGHT)],
  ["readonly", (inner) => inner.readonly()],
  ["brand", (inner) => inner.brand("x").describe("x")],
  ["refinement", (inner) => inner.refine(() => true)],
  ["lazy", (inner) => z3.lazy(() => inner)],
  ["promise", (inner) => z3.promise(inner)],
  ["transform", (inner) => inner.transform((value) => value)],
  ["preprocess", (inner) => z3.preprocess((value) => value, inner)],
  ["pipe from it", (inner) => inner.pipe(z3.any())],
  ["pipe from any", (inner) => z3.any().pipe(inner)],
  ["array", (inner) => z3.array(inner), inList],
  ["tuple", (inner) => z3.tuple([z3.string(), inner]), (value) => ["x", value]],
  ["rest of a tuple", (inner) => z3.tuple([z3.string()]).rest(inner), (value) => ["x", value]],
  ["object", (inner) => z3.object({ k: inner }).strict(), inObject],
  ["catchall", (inner) => z3.object({}).catchall(inner), inObject],
  ["record", (inner) => z3.record(inner), inObject],
  ["union", (inner) => z3.union([z3.literal("x"), inner])],
  ["union of simple types", (inner) => z3.union([inner, z3.null()])],
  ["intersection", (inner) => z3.intersection(z3.object({ k: inner }), z3.object({})), inObject],
];

function never(): never {
  throw new Error("no default here");
}

const coerced = suite("what reaches z.coerce");

const generations: [name: string, holders: Holder<never>[], pick: (kind: Kind) => Schema][] = [
  ["Zod 4", fourfold as unknown as Holder<never>[], ({ four }) => four],
  ["zod/v3", threefold as unknown as Holder<never>[], ({ three }) => three],
];
for (const [generation, holders, pick] of generations)
  for (const [name, hold, put = (value: unknown) => value] of holders)
    coerced(`${generation}: is what was meant, inside ${name}`, async () => {
      const wrong: string[] = [];
      for (const [kind, { sent }] of Object.entries(kinds))
        for (const [value, meant] of sent)
          for (const line of linesOf(put(value), put(value) !== value)) {
            const got = await outcome(hold(pick(kinds[kind] as Kind) as never), line);
            const expected = meant === undefined ? undefined : put(meant);
            if (!isDeepStrictEqual(got, expected) && !(got === value && value === null) && got !== CAUGHT)
              wrong.push(inspect([kind, line.at(-1), got]));
          }
      assert.equal(wrong, []);
    });

/** What the fields that catch what was refused put in its place. */
const CAUGHT = "caught";

/** A text is sent as the value of a flag too, and what holds others as JSON. */
function linesOf(value: unknown, isHeld: boolean): string[][] {
  const document = ["run", "--input-json", JSON.stringify({ f: value })];
  if (typeof value === "string") return [document, ["run", `--f=${value}`]];
  return isHeld ? [document, ["run", `--f=${JSON.stringify(value)}`]] : [document];
}

/** What arrives at the handler for the field `f`; nothing where the input is refused. */
async function outcome(field: Schema, argv: string[]): Promise<unknown> {
  let got: unknown;
  const isFour = "_zod" in field;
  const tool = new Tool({ name: "t", description: "A tool" }).dataSubcommand({
    name: "run",
    description: "Run",
    input: isFour ? z.object({ f: field as z.ZodType }) : z3.object({ f: field as z3.ZodTypeAny }),
    output: {},
    handler: (input) => {
      got = (input as { f: unknown }).f;
      return { message: "done" };
    },
  });
  const { ok, text } = await replyTo(tool, argv);
  if (ok) return Promise.resolve(got).catch(() => undefined); // a promise of zod/v3 is checked when it is awaited
  return JSON.parse(text).error === "input_validation_error" ? undefined : text.slice(0, 100);
}

coerced.run();
