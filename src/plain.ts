import type * as z from "zod/v4/core";
import { isPlainObject } from "./json.ts";
import { isZod4 } from "./schema.ts";
import type { Schema } from "./types.ts";

type Lengths = { least?: number; most?: number };
type Patterns = { like?: [source: string, flags: string][] };
type Bounds = { whole?: true; bounds?: [sign: "<" | "<=" | ">" | ">=", limit: number][] };

/** All that a schema asks of a value, as JSON: what it accepts can be told without Zod. */
export type Plain =
  | ({ is: "string" } & Lengths & Patterns)
  | ({ is: "number" } & Bounds)
  | { is: "boolean" }
  | { is: "null" }
  | { is: "any" }
  | { is: "value"; of: Primitive[] }
  | ({ is: "array"; of: Plain } & Lengths)
  | { is: "object"; fields: Record<string, Plain>; others: "dropped" | "refused" | "kept" }
  | { is: "record"; of: Plain }
  | { is: "optional"; of: Plain }
  | { is: "nullable"; of: Plain }
  | { is: "default"; of: Plain; value: unknown }
  | { is: "union"; of: Plain[] };

/** Of both sides of a subcommand, as far as they are plain. */
export type Plains = { input?: Plain | undefined; output?: Plain | undefined };

type Primitive = string | number | boolean | null;

/**
 * A schema as plain data, where that says all of it: undefined for one that transforms, coerces, calls a function of the
 * author's, or is of a kind that is not known here in every version of Zod 4.
 */
export function plainOf(schema: Schema): Plain | undefined {
  try {
    return isZod4(schema) ? read(schema) : undefined;
  } catch {
    return undefined; // it is not, or the author's code in it throws
  }
}

function read(schema: z.$ZodType, depth = 0): Plain {
  demand(depth < DEEPEST);
  const { def, traits } = (schema as z.$ZodTypes)._zod;
  demand([...traits].every((trait) => KNOWN.test(trait)) && !("coerce" in def && def.coerce));
  const checks = checksOf(def);
  if (def.type === "string") return { is: "string", ...rulesOf(checks, STRING) };
  if (def.type === "number") return { is: "number", ...rulesOf(checks, NUMBER) };
  if (def.type === "array") return { is: "array", of: read(def.element, depth + 1), ...rulesOf(checks, LENGTHS) };
  demand(checks.length === 0);
  switch (def.type) {
    case "boolean":
      return { is: "boolean" };
    case "null":
      return { is: "null" };
    case "any":
    case "unknown":
      return { is: "any" };
    case "enum":
    case "literal":
      return { is: "value", of: [...(schema._zod.values ?? [])].map(primitive) };
    case "object":
      return { is: "object", fields: fieldsOf(def.shape, depth + 1), others: othersOf(def.catchall) };
    case "record":
      demand(JSON.stringify(read(def.keyType, depth + 1)) === '{"is":"string"}');
      return { is: "record", of: required(def.valueType, depth + 1) };
    case "optional":
      return { is: "optional", of: required(def.innerType, depth + 1) };
    case "nullable":
      return { is: "nullable", of: read(def.innerType, depth + 1) };
    case "default":
      return { is: "default", of: read(def.innerType, depth + 1), value: json(def.defaultValue) };
    case "union":
      return { is: "union", of: optionsOf(def, depth + 1) };
    default:
      demand(false);
  }
}

/** A schema may have itself inside. */
const DEEPEST = 50;

function demand(condition: boolean): asserts condition {
  if (!condition) throw new Error("not plain");
}

/** What Zod itself makes schemas of, Zod Mini too. */
const KNOWN =
  /^[$_]?Zod(Mini)?(Type|String(Format)?|Number(Format)?|Boolean|Null|Any|Unknown|Enum|Literal|Array|Object(JIT)?|Record|Optional|Nullable|Default|Union|DiscriminatedUnion|Check((Number|String)Format)?|Email|[GU]UID|ISO(Date|Time|DateTime|Duration))$/;

/** Of a kind that takes `undefined` for nothing else than itself. */
function required(schema: z.$ZodType, depth: number): Plain {
  demand(schema._zod.optin === undefined && schema._zod.optout === undefined);
  return read(schema, depth);
}

function fieldsOf(shape: Readonly<Record<string, z.$ZodType>>, depth: number): Record<string, Plain> {
  const keys = Reflect.ownKeys(shape);
  return Object.fromEntries(
    keys.map((key) => {
      demand(typeof key === "string" && !(key in Object.prototype)); // Zod finds those in every object
      return [key, read(shape[key] as z.$ZodType, depth)];
    }),
  );
}

/** By a discriminator no two can take the same, so that the first that does is the one. */
function optionsOf({ options, ...def }: z.$ZodUnionDef, depth: number): Plain[] {
  return options.map((option) => {
    const plain = required(option as z.$ZodType, depth);
    if ("discriminator" in def)
      demand(plain.is === "object" && plain.fields[String(def.discriminator)]?.is === "value");
    return plain;
  });
}

function othersOf(catchall: z.$ZodType | undefined): "dropped" | "refused" | "kept" {
  const kind = catchall?._zod.def.type;
  demand(kind === undefined || kind === "never" || kind === "unknown");
  return kind === undefined ? "dropped" : kind === "never" ? "refused" : "kept";
}

function primitive(value: unknown): Primitive {
  demand(value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value));
  return value as Primitive;
}

/** A value of JSON, through and through. */
function json(value: unknown): unknown {
  const isPlain = Array.isArray(value) || (isPlainObject(value) && Reflect.ownKeys(value).every(isText));
  if (!isPlain) demand(!Object.is(primitive(value), -0));
  else for (const item of Object.values(value as object)) json(item);
  return value;
}

const isText = (key: unknown) => typeof key === "string" && key !== "__proto__";

type Check = Readonly<Record<string, unknown>>;
/** What a check adds to the rules so far. */
type Rules<R> = Record<string, (check: Check, rules: R) => R>;

/** The checks of a schema, of which it may be one itself. */
function checksOf(def: z.$ZodTypeDef): Check[] {
  const own = "check" in def ? [def as unknown as Check] : [];
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as unknown as Check)];
}

function rulesOf<R extends object>(checks: readonly Check[], known: Rules<R>): R {
  let rules = {} as R;
  for (const check of checks) {
    const rule = known[String(check["check"])];
    demand(rule !== undefined);
    rules = { ...rules, ...rule(check, rules) };
  }
  return rules;
}

const atLeast = (value: unknown, { least = 0 }: Lengths) => ({ least: Math.max(least, number(value)) });
const atMost = (value: unknown, { most }: Lengths) => ({ most: Math.min(most ?? number(value), number(value)) });

const LENGTHS: Rules<Lengths> = {
  min_length: ({ minimum }, rules) => atLeast(minimum, rules),
  max_length: ({ maximum }, rules) => atMost(maximum, rules),
  length_equals: ({ length }, rules) => ({ ...atLeast(length, rules), ...atMost(length, rules) }),
};

const STRING: Rules<Lengths & Patterns> = {
  ...LENGTHS,
  string_format({ format, pattern }, { like = [] }) {
    demand(FORMATS.test(String(format)) && pattern instanceof RegExp && !/[gy]/.test(pattern.flags));
    return { like: [...like, [pattern.source, pattern.flags]] };
  },
};

/** Those that are a pattern, and nothing beside it. */
const FORMATS = /^(regex|email|[gu]uid|date|time|datetime|duration)$/;

const NUMBER: Rules<Bounds> = {
  number_format({ format }) {
    demand(format === "safeint");
    return { whole: true };
  },
  greater_than: ({ value, inclusive }, { bounds = [] }) => ({
    bounds: [...bounds, [inclusive ? ">=" : ">", number(value)]],
  }),
  less_than: ({ value, inclusive }, { bounds = [] }) => ({
    bounds: [...bounds, [inclusive ? "<=" : "<", number(value)]],
  }),
};

function number(value: unknown): number {
  demand(Number.isFinite(value));
  return value as number;
}
