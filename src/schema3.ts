import {
  ZodFirstPartyTypeKind as Kind,
  object,
  type ZodFirstPartySchemaTypes,
  type ZodTypeAny,
  type ZodTypeDef,
} from "zod/v3";
import {
  zodToJsonSchema as convertZod3,
  ignoreOverride,
  type PostProcessCallback,
  parseDef,
  type Refs,
} from "zod-to-json-schema";
import { bigintInput, type Conversion, jsonDefault, lostLiteral, noJson, Problems, UNKNOWN_RESULT } from "./carried.ts";
import { dropAbsent, isChoice, spellBigints, spellCoerced } from "./choice3.ts";
import { stringifyError } from "./errors.ts";
import { COERCED, DATED, onlyMarks, PREPROCESSED } from "./marks.ts";
import { type Dialect, type Io, requiredKeys } from "./required.ts";
import type { JsonSchema } from "./types.ts";

type Drawn = ReturnType<PostProcessCallback>;
type Def = ZodFirstPartySchemaTypes["_def"];
type ObjectDef = Extract<Def, { typeName: Kind.ZodObject }>;
/** The definition of an object as the converter is shown it. */
type Shown = ObjectDef & { origin?: ObjectDef };
type Node = { drawn: JsonSchema | undefined; def: Def; refs: Refs };

/** Converts one side of a schema from `zod/v3`; `forTexts` marks what matters to texts beside types. */
export async function convert3(schema: ZodTypeAny, io: Io, forTexts: boolean): Promise<Conversion> {
  try {
    const required = await askAll(schema, io);
    const problems = new Problems();
    const finish = (node: Node) => repair(node, io, required, problems);
    const document = draw(schema, io, problems, forTexts ? (node) => mark(finish(spell(node)), node) : finish);
    return { document, problems: problems.texts() };
  } catch (error) {
    return { problems: [stringifyError(error)] };
  }
}

function draw(schema: ZodTypeAny, io: Io, problems: Problems, finish: (node: Node) => JsonSchema): JsonSchema {
  const document = convertZod3(schema, {
    $refStrategy: "none",
    pipeStrategy: io,
    // an object that strips what it does not declare still takes it
    ...(io === "input" && { removeAdditionalStrategy: "strict", allowedAdditionalProperties: undefined }),
    override: (def, refs, seen) => show(def, refs, seen?.path, problems),
    postProcess: (drawn, def, refs) =>
      finish({ drawn: drawn as JsonSchema | undefined, def: def as Def, refs }) as Drawn,
  });
  return JSON.parse(JSON.stringify(document, plain));
}

/** Drops the bounds that are none; a bigint is only met where it is refused or was not looked at yet. */
function plain(_key: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) return undefined;
  return typeof value === "bigint" ? String(value) : value;
}

/** What every object of one side requires: a question that can take time, so it comes before the conversion. */
async function askAll(schema: ZodTypeAny, io: Io): Promise<Map<ObjectDef, string[]>> {
  const found = new Set<ObjectDef>();
  draw(schema, io, new Problems(), ({ drawn, def }) => {
    if (def.typeName === Kind.ZodObject) found.add(originOf(def));
    return drawn ?? {};
  });
  const ask = async (def: ObjectDef) => [def, await requiredKeys(zod3, fieldsOf(def), io)] as const;
  return new Map(await Promise.all([...found].map(ask)));
}

// A promise is refused anyway, and parsing one leaves a promise behind whose rejection nobody handles.
const fieldsOf = (def: ObjectDef): [string, ZodTypeAny][] =>
  Object.entries<ZodTypeAny>(def.shape()).filter(([, field]) => leafKind(field) !== Kind.ZodPromise);

const zod3: Dialect<ZodTypeAny> = {
  holder: (key, field) => {
    const holder = object({ [key]: field });
    return { parse: (value) => holder.safeParse(value), parseAsync: (value) => holder.safeParseAsync(value) };
  },
  end: ({ _def }) => (_def?.typeName === Kind.ZodPipeline ? _def.out : undefined), // a nested `zod/mini` has no `_def`
};

/** Decides what the converter gets to see of a definition. */
function show(
  def: ZodTypeDef | undefined,
  refs: Refs,
  seenAt: string[] | undefined,
  problems: Problems,
): Drawn | typeof ignoreOverride {
  if (!isZod3(def) || partsOf(def).some(isZod4)) {
    problems.add(
      refs.currentPath.slice(1),
      "a Zod 4 schema inside a zod/v3 one cannot be converted: build both with the same Zod",
    );
    return {};
  }
  const { currentPath } = refs;
  if (seenAt && seenAt.length < currentPath.length && seenAt.every((step, index) => step === currentPath[index]))
    return { $ref: seenAt.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/") };
  if (def.typeName === Kind.ZodDefault && throws(def.defaultValue)) {
    problems.add(currentPath.slice(1), "the default throws");
    return parseDef(def.innerType._def, refs);
  }
  if (def.typeName !== Kind.ZodObject || (def as Shown).origin) return ignoreOverride;
  refs.seen.set(def, { def, path: currentPath, jsonSchema: undefined });
  return parseDef(withoutQuestions(def), refs);
}

function throws(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch {
    return true;
  }
}

/**
 * The converter asks every field `isOptional()`, a sync parse that would leave the rejection of an async field unhandled,
 * and passes over fields without `_def`, which those of `zod/mini` are. The list that it makes of the answers is replaced.
 */
function withoutQuestions(def: ObjectDef): Shown {
  const fields = Object.entries<ZodTypeAny>(def.shape()).map(([key, field]) => [
    key,
    { _def: field._def ?? {}, isOptional: () => true },
  ]);
  return { ...def, shape: () => Object.fromEntries(fields), origin: def };
}

const originOf = (def: Shown): ObjectDef => def.origin ?? def;

const isZod3 = (def: ZodTypeDef | undefined): def is Def => def !== undefined && "typeName" in def;

const isZod4 = (part: unknown) => typeof part === "object" && part !== null && "_zod" in part;

const partsOf = (def: Def): unknown[] => Object.values(def).flat();

/** Makes what the converter drew of one schema true. The schemas inside it come first. */
function repair(
  { drawn = {}, def, refs }: Node,
  io: Io,
  required: Map<ObjectDef, string[]>,
  problems: Problems,
): JsonSchema {
  const path = refs.currentPath.slice(1);
  const refuse = (what: string) => {
    problems.add(path, noJson(what));
    return {};
  };

  switch (def.typeName) {
    case Kind.ZodObject: {
      const keys = required.get(originOf(def)) ?? [];
      return keys.length > 0 ? { ...drawn, required: keys } : drawn;
    }
    case Kind.ZodUnion:
    case Kind.ZodNullable:
      return Array.isArray(drawn["anyOf"]) ? dropAbsent(drawn, drawn["anyOf"], def) : spellBigints(drawn, def, refs);
    case Kind.ZodUndefined:
    case Kind.ZodVoid:
      return path.at(-2) === "anyOf" ? { not: {} } : refuse("undefined");
    case Kind.ZodBigInt: {
      if (io === "output" || !def.coerce) return refuse("a bigint");
      return { ...bigintInput(), ...(def.description !== undefined && { description: def.description }) };
    }
    case Kind.ZodLiteral: {
      const lost = lostLiteral([def.value]);
      if (lost !== undefined) return refuse(lost);
      return def.value === null ? { ...drawn, type: "null" } : drawn;
    }
    case Kind.ZodDefault:
      return keepDefault(drawn, leafKind(def.innerType));
    case Kind.ZodCatch:
      if (io === "input") problems.forgive(path);
      return drawn;
    case Kind.ZodEffects:
      if (io === "input" && def.effect.type === "preprocess") problems.forgive(path);
      if (io === "input" || def.effect.type !== "transform") return drawn;
      problems.add(path, UNKNOWN_RESULT);
      return {};
    case Kind.ZodPromise:
      problems.add(path, noJson("a promise")); // but it takes what is inside as well
      return drawn;
    default: {
      const what = NO_JSON[def.typeName];
      return what ? refuse(what) : drawn;
    }
  }
}

function spell({ drawn = {}, def, refs }: Node): Node {
  return { drawn: isChoice(def) ? spellCoerced(drawn, def, refs) : drawn, def, refs };
}

/** Marks what matters to texts beside types. */
function mark(drawn: JsonSchema, { def, refs }: Node): JsonSchema {
  const inside = (part: ZodTypeAny, ...steps: string[]) =>
    onlyMarks((parseDef(part._def, { ...refs, currentPath: [...refs.currentPath, ...steps] }) ?? {}) as JsonSchema);
  if ("coerce" in def && def.coerce) return { ...drawn, [COERCED]: [def.typeName.slice("Zod".length).toLowerCase()] };
  switch (def.typeName) {
    case Kind.ZodDate:
      return { ...drawn, [DATED]: true };
    case Kind.ZodEffects:
      return def.effect.type === "preprocess" ? { ...drawn, [PREPROCESSED]: true } : drawn;
    case Kind.ZodRecord:
      return { ...drawn, propertyNames: inside(def.keyType, "propertyNames") };
    case Kind.ZodPipeline:
      return passesOn(def.in) ? { allOf: [drawn, inside(def.out, "allOf", "1")] } : drawn;
    default:
      return drawn;
  }
}

/** Whether no function of the author's makes something else of what a schema takes. */
const passesOn = ({ _def }: ZodTypeAny): boolean =>
  _def.effect
    ? _def.effect.type === "refinement" && passesOn(_def.schema)
    : !_def.innerType || passesOn(_def.innerType);

const NO_JSON: { [kind: string]: string | undefined } = {
  ZodSymbol: "a symbol",
  ZodNaN: "NaN",
  ZodMap: "a Map",
  ZodSet: "a Set",
  ZodFunction: "a function",
};

function keepDefault({ default: value, ...drawn }: JsonSchema, kind: Kind | undefined): JsonSchema {
  const kept = typeof value === "bigint" && kind !== Kind.ZodBigInt ? undefined : jsonDefault(value);
  return kept === undefined ? drawn : { ...drawn, default: kept };
}

function leafKind({ _def }: ZodTypeAny): Kind | undefined {
  const inner = _def?.innerType ?? _def?.schema;
  return inner ? leafKind(inner) : _def?.typeName;
}
