import type * as z from "zod/v4/core";
import { isPlainObject } from "./json.ts";
import { type Bounds, boundsOf, type Check, demand, type Lengths, lengthsOf, type Text, textOf } from "./rules.ts";
import { isZod4 } from "./schema.ts";
import type { Schema } from "./types.ts";

/** All that a schema asks of a value, as JSON: what it accepts can be told without Zod. */
export type Plain =
  | Text
  | ({ is: "number" } & Bounds)
  | ({ is: "date" } & Bounds)
  | { is: "boolean" }
  | { is: "null" }
  | { is: "any" }
  | { is: "value"; of: Primitive[] }
  | ({ is: "array"; of: Plain } & Lengths)
  | { is: "object"; fields: Record<string, Plain>; others: "dropped" | "refused" | "kept" }
  | { is: "record"; of: Plain; keys?: Plain }
  | { is: "tuple"; of: Plain[]; rest?: Plain }
  | { is: "optional"; of: Plain }
  | { is: "nullable"; of: Plain }
  | { is: "default"; of: Plain; value: unknown }
  | { is: "prefault"; of: Plain; value: unknown }
  | { is: "readonly"; of: Plain }
  | { is: "pipe"; of: [Plain, Plain] }
  /** Makes its type of others, which is Zod's to do. */
  | { is: "coerced"; of: Plain }
  /** Versions of Zod make different things of nothing. */
  | { is: "present"; of: Plain }
  | { is: "union"; of: Plain[] };

/** Of both sides of a subcommand, as far as they are plain. */
export type Plains = { input?: Plain | undefined; output?: Plain | undefined };

type Primitive = string | number | boolean | null;

/**
 * A schema as plain data, where that says all of it: undefined for one that transforms, calls a function of the author's,
 * or is of a kind that is not known here in every version of Zod 4.
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
  demand([...traits].every((trait) => KNOWN.test(trait)));
  const plain = kindOf(schema, def, depth + 1);
  return "coerce" in def && def.coerce ? { is: "coerced", of: plain } : plain;
}

function kindOf(schema: z.$ZodType, def: z.$ZodTypes["_zod"]["def"], depth: number): Plain {
  const checks = checksOf(def);
  if (def.type === "string") return textOf(checks);
  if (def.type === "number" || def.type === "date") return { is: def.type, ...boundsOf(checks) };
  if (def.type === "array") return { is: "array", of: read(def.element, depth), ...lengthsOf(checks) };
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
      return { is: "value", of: valuesOf(schema, def) };
    case "object":
      return { is: "object", fields: fieldsOf(def.shape, depth), others: othersOf(def.catchall) };
    case "record":
      return recordOf(def, depth);
    case "tuple":
      return {
        is: "tuple",
        of: def.items.map((item) => given(item, depth)),
        ...(def.rest && { rest: given(def.rest, depth) }),
      };
    case "optional":
      return isRequired(def.innerType)
        ? { is: "optional", of: read(def.innerType, depth) }
        : { is: "present", of: read(def.innerType, depth) };
    case "nullable":
      return { is: "nullable", of: read(def.innerType, depth) };
    case "readonly":
      return { is: "readonly", of: read(def.innerType, depth) };
    case "default":
    case "prefault":
      return { is: def.type, of: read(def.innerType, depth), value: json(def.defaultValue) };
    case "pipe":
      return { is: "pipe", of: [required(def.in, depth), required(def.out, depth)] };
    case "union":
      return { is: "union", of: optionsOf(def, depth) };
    default:
      demand(false);
  }
}

/** A schema may have itself inside. */
const DEEPEST = 50;

/** What Zod itself makes schemas of, Zod Mini too. */
const KNOWN =
  /^[$_]?Zod(Mini)?(Type|String(Format)?|Number(Format)?|Boolean|Date|Null|Any|Unknown|Enum|Literal|Array|Tuple|Object(JIT)?|Record|Optional|Nullable|Readonly|Default|Prefault|Pipe|Union|DiscriminatedUnion|Check((Number|String)Format)?|Email|[GU]UID|ISO(Date|Time|DateTime|Duration)|URL|IPv4|CIDRv4|E164|NanoID|CUID2?|ULID|XID|KSUID|Emoji)$/;

/** Whether a schema takes `undefined` for nothing else than itself. */
const isRequired = ({ _zod: { optin, optout } }: z.$ZodType) => optin === undefined && optout === undefined;

function required(schema: z.$ZodType, depth: number): Plain {
  demand(isRequired(schema));
  return read(schema, depth);
}

function given(schema: z.$ZodType, depth: number): Plain {
  const plain = read(schema, depth);
  return isRequired(schema) ? plain : { is: "present", of: plain };
}

function valuesOf(
  { _zod: { values } }: z.$ZodType,
  def: z.$ZodEnumDef | z.$ZodLiteralDef<z.util.Literal>,
): Primitive[] {
  const own: readonly unknown[] = def.type === "enum" ? Object.values(def.entries) : def.values;
  demand(values !== undefined || own.every((value) => typeof value === "string")); // of a partial record they are hidden
  return [...(values ?? own)].map(primitive);
}

function recordOf({ keyType, valueType, ...def }: z.$ZodRecordDef, depth: number): Plain {
  demand(!("mode" in def && def.mode === "loose"));
  const keys = read(keyType, depth);
  const isPartial = keyType._zod.values === undefined || ("partial" in def && def.partial === true);
  if (keys.is === "string") demand(!keys.next && !keys.url);
  else demand(keys.is === "value" && keys.of.every((key) => typeof key === "string" && !(key in Object.prototype)));
  if (isPartial)
    return { is: "record", of: given(valueType, depth), ...(JSON.stringify(keys) !== '{"is":"string"}' && { keys }) };
  demand(keys.is === "value");
  const value = required(valueType, depth);
  return { is: "object", fields: Object.fromEntries(keys.of.map((key) => [key, value])), others: "refused" };
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
    const plain = given(option as z.$ZodType, depth);
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

/** The checks of a schema, of which it may be one itself. */
function checksOf(def: z.$ZodTypeDef): Check[] {
  const own = "check" in def ? [def as unknown as Check] : [];
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as unknown as Check)];
}
