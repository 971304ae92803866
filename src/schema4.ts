import {
  $ZodObject,
  type $ZodPipeDef,
  type $ZodType,
  type $ZodTypes,
  clone,
  safeParse,
  safeParseAsync,
  type ToJSONSchemaParams,
  toJSONSchema,
} from "zod/v4/core";
import { blame } from "./blame.ts";
import { bigintInput, type Conversion, jsonDefault, lostLiteral, noJson, Problems, UNKNOWN_RESULT } from "./carried.ts";
import { stringifyError } from "./errors.ts";
import { hidesMarks, markOf } from "./loose.ts";
import { type Dialect, demands, fateOf, type Io, type Oracle, requiredKeys } from "./required.ts";
import type { JsonSchema } from "./types.ts";

type Override = NonNullable<ToJSONSchemaParams["override"]>;
type Node = Parameters<Override>[0];

/** Converts one side of a Zod 4 schema; `forTexts` marks what matters to texts beside types, or converts nothing. */
export async function convert4(schema: $ZodType, io: Io, forTexts: boolean): Promise<Conversion> {
  try {
    const required = await askAll(schema, io);
    const problems = new Problems();
    const document = draw(schema, io, (node) => {
      repair(node, io, required, problems);
      if (forTexts) mark(node);
    });
    return { document, problems: problems.texts().reverse() }; // Zod goes from the leaves up
  } catch (error) {
    if (forTexts) return { problems: [stringifyError(error)] };
    const reasons = blame(schema, (part) => draw(part, io, () => {}));
    return { problems: reasons.length > 0 ? reasons : [stringifyError(error)] };
  }
}

function mark({ zodSchema, jsonSchema }: Node): void {
  const { def } = zodSchema._zod;
  if (hidesMarks(def)) throw new Error("Zod draws one side of a pipe, and the marks are on the other");
  Object.assign(jsonSchema, markOf(def));
}

// "any", because what has no JSON form is found by `repair`: Zod itself throws at the first one, even for a Date.
function draw(schema: $ZodType, io: Io, override: Override): JsonSchema {
  const finish: Override = (node) => {
    tidyDefault(node.jsonSchema);
    override(node);
  };
  return { ...toJSONSchema(schema, { io, override: finish, unrepresentable: "any" }) };
}

/** Zod prints the value of a `.catch()` as the default, whatever it is, and fails where that is a bigint. */
function tidyDefault(jsonSchema: JsonSchema): void {
  if (!("default" in jsonSchema)) return;
  const value = jsonDefault(jsonSchema["default"]);
  if (value === undefined) delete jsonSchema["default"];
  else jsonSchema["default"] = value;
}

/** What each object, tuple and record of one side requires: a question that can take time, so it comes before the conversion. */
async function askAll(schema: $ZodType, io: Io): Promise<Map<$ZodType, string[]>> {
  const found = new Set<$ZodTypes>();
  draw(schema, io, ({ zodSchema }) => void found.add(zodSchema));
  return new Map(await Promise.all([...found].map(async (each) => [each, await requiredOf(each, io)] as const)));
}

async function requiredOf(schema: $ZodTypes, io: Io): Promise<string[]> {
  const { def } = schema._zod;
  if (def.type === "object") return requiredKeys(zod4, Object.entries(def.shape), io);
  if (def.type === "tuple") return requiredKeys(zod4, Object.entries(def.items), io);
  if (def.type !== "record" || def.partial) return [];
  const keys = [...(def.keyType._zod.values ?? [])].map(String);
  const record = oracle(clone(schema, { ...def, checks: [] }));
  const fates = await Promise.all(keys.map((key) => fateOf(record, key, io)));
  return keys.filter((_, index) => demands(fates[index], io));
}

const zod4: Dialect<$ZodType> = {
  holder: (key, field) => oracle(new $ZodObject({ type: "object", shape: { [key]: field } })),
  end: (field) => {
    const { def } = (field as $ZodTypes)._zod;
    return def.type === "pipe" ? def.out : undefined;
  },
};

function oracle(schema: $ZodType): Oracle {
  const once = { jitless: true }; // compiling a parser costs more than one run of it
  return {
    parse: (value) => safeParse(schema, value, once),
    parseAsync: (value) => safeParseAsync(schema, value, once),
  };
}

/** Makes what Zod drew of one schema true. The schemas inside it come first. */
function repair(node: Node, io: Io, required: Map<$ZodType, string[]>, problems: Problems): void {
  const { zodSchema, jsonSchema, path } = node;
  const { def } = zodSchema._zod;
  const refuse = (what: string) => {
    blank(jsonSchema);
    problems.add(path, noJson(what));
  };
  const mend = REPAIRS[def.type] as Repair<typeof def> | undefined;
  const what = NO_JSON[def.type];
  if (mend) mend(def, { ...node, io, keys: required.get(zodSchema) ?? [], problems, refuse });
  else if (what) refuse(what);
}

type Def = $ZodTypes["_zod"]["def"];
type Repair<D extends Def> = (def: D, at: Node & Circumstances) => void;
type Circumstances = { io: Io; keys: string[]; problems: Problems; refuse: (what: string) => void };

const REPAIRS: { [T in Def["type"]]?: Repair<Extract<Def, { type: T }>> } = {
  object({ shape }, { jsonSchema, path, keys, problems }) {
    if (Object.getOwnPropertySymbols(shape).length > 0) problems.add(path, noJson("a symbol as a key"));
    demand(jsonSchema, keys);
  },
  record(_, { jsonSchema, keys }) {
    if (jsonSchema.required) demand(jsonSchema, keys);
  },
  tuple({ checks }, { jsonSchema, keys }) {
    const fewest = Number(keys.at(-1) ?? -1) + 1;
    if (!checks?.length && (jsonSchema.minItems ?? 0) > fewest) jsonSchema.minItems = fewest;
  },
  union({ options }, { jsonSchema }) {
    dropAbsent(jsonSchema, options as readonly $ZodTypes[]);
  },
  undefined: (_, at) => refuseAbsent(at),
  void: (_, at) => refuseAbsent(at),
  date(_, { jsonSchema }) {
    jsonSchema.type ??= "string";
    jsonSchema.format ??= "date-time";
  },
  number(_, { jsonSchema }) {
    for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
      if (!Number.isFinite(jsonSchema[bound])) delete jsonSchema[bound];
  },
  bigint({ coerce }, { jsonSchema, io, refuse }) {
    if (io === "input" && coerce) Object.assign(jsonSchema, bigintInput());
    else refuse("a bigint");
  },
  literal({ values }, { refuse }) {
    const lost = lostLiteral(values);
    if (lost !== undefined) refuse(lost);
  },
  promise(_, { path, problems }) {
    problems.add(path, noJson("a promise")); // but it takes what is inside as well
  },
  // takes anything, and says whether its schema would
  success(_, { jsonSchema, io }) {
    if (io === "input") blank(jsonSchema);
  },
  default: ({ defaultValue, innerType }, { jsonSchema }) => keepDefault(jsonSchema, defaultValue, innerType),
  prefault: ({ defaultValue, innerType }, { jsonSchema }) => keepDefault(jsonSchema, defaultValue, innerType),
  catch(_, { io, path, problems }) {
    if (io === "input") problems.forgive(path);
  },
  pipe(def, { io, path, problems }) {
    if (io === "input" && isPreprocess(def)) problems.forgive(path);
  },
  transform(_, { io, path, problems }) {
    if (io === "output") problems.add(path, UNKNOWN_RESULT);
  },
  // .meta({ type }) describes one
  custom(_, { jsonSchema, refuse }) {
    if (jsonSchema.type === undefined) refuse("a custom type");
  },
};

function refuseAbsent({ jsonSchema, path, refuse }: Node & Circumstances): void {
  if (isOption(path)) jsonSchema.not = {};
  else refuse("undefined");
}

const isPreprocess = (def: $ZodPipeDef) => (def.in as $ZodTypes)._zod.def.type === "transform";

const NO_JSON: { [type: string]: string | undefined } = {
  symbol: "a symbol",
  nan: "NaN",
  map: "a Map",
  set: "a Set",
  file: "a File",
  function: "a function",
};

function blank(jsonSchema: JsonSchema): void {
  for (const keyword of Object.keys(jsonSchema)) if (keyword !== "description") delete jsonSchema[keyword];
}

function demand(jsonSchema: JsonSchema, keys: string[]): void {
  if (keys.length > 0 && !("$ref" in jsonSchema)) jsonSchema["required"] = keys;
  else delete jsonSchema["required"]; // beside a `$ref`, what it points to says it
}

/** A union with undefined says "or nothing at all", which `required` tells. */
function dropAbsent(jsonSchema: JsonSchema, options: readonly $ZodTypes[]): void {
  for (const keyword of ["anyOf", "oneOf"]) {
    const drawn = jsonSchema[keyword];
    if (!Array.isArray(drawn)) continue;
    const present = drawn.filter((_, index) => !isAbsent(options[index]));
    if (present.length > 0) jsonSchema[keyword] = present;
  }
}

function isAbsent(schema: $ZodTypes | undefined): boolean {
  const type = schema?._zod.def.type;
  return type === "undefined" || type === "void";
}

function isOption(path: readonly (string | number)[]): boolean {
  return path.at(-2) === "anyOf" || path.at(-2) === "oneOf";
}

/** Zod prints a default of NaN as null and one of a Map as {}, and leaves that of a bigint out. */
function keepDefault(jsonSchema: JsonSchema, value: unknown, inner: $ZodType): void {
  if (typeof value === "bigint" && leaf(inner).type === "bigint") jsonSchema["default"] = jsonDefault(value);
  else if (jsonDefault(value) === undefined) delete jsonSchema["default"];
}

/** The definition inside defaults, optionals and the like. */
function leaf(schema: $ZodType): $ZodTypes["_zod"]["def"] {
  const { def } = (schema as $ZodTypes)._zod;
  return "innerType" in def ? leaf(def.innerType) : def;
}
