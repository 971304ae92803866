import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { COERCED, DATED, onlyMarks, PREPROCESSED, rewrite } from "./marks.ts";
import { type Place, partsOf } from "./parts.ts";
import type { JsonSchema } from "./types.ts";

type Def = $ZodTypes["_zod"]["def"];
type PipeDef = Extract<Def, { type: "pipe" }>;

/** Converts a part as a whole; gives nothing where that cannot be done, or would not reach all that matters to texts. */
export type ConvertWhole = (part: unknown) => Promise<JsonSchema | undefined>;

/**
 * The input side of a schema that is not to be had as one document: what can be converted stands in `$defs` as it is, and
 * what cannot is put together of its parts, with its types and marks and nothing else.
 */
export async function inPieces(schema: unknown, whole: ConvertWhole): Promise<JsonSchema> {
  const $defs: JsonSchema = {};
  const marks = placer($defs, whole, onlyMarks);
  return { ...(await placer($defs, whole, (document) => document, marks)(schema)), $defs };
}

type Placer = (part: unknown) => Promise<JsonSchema>;

/** Puts parts into `$defs`, each once, and gives the reference; `marks` places what is asked after a pipe. */
function placer(
  $defs: JsonSchema,
  whole: ConvertWhole,
  finish: (document: JsonSchema) => JsonSchema,
  marks?: Placer,
): Placer {
  const references = new Map<unknown, string>();

  async function place(part: unknown): Promise<JsonSchema> {
    const known = references.get(part);
    if (known !== undefined) return { $ref: known };
    const name = `${Object.keys($defs).length}`;
    const $ref = `#/$defs/${name}`;
    references.set(part, $ref);
    $defs[name] = {};
    const document = await whole(part);
    $defs[name] = finish(document ? moved(document, $ref) : await compose(part));
    return { $ref };
  }

  async function compose(part: unknown): Promise<JsonSchema> {
    const def = (part as Partial<$ZodTypes>)._zod?.def;
    if (!def) return {};
    if (def.type === "pipe") return composePipe(def);
    const document: JsonSchema = { ...KEYWORDS[def.type], ...markOf(def) };
    for (const [at, inner] of partsOf(def)) put(document, at, typeOf(inner) === "never" ? false : await place(inner));
    return document;
  }

  async function composePipe(def: PipeDef): Promise<JsonSchema> {
    if (isTransform(def.in)) return { allOf: [await place(def.out)], ...markOf(def) };
    const taken = await place(def.in);
    return passesOn(def) ? { allOf: [taken, await (marks ?? place)(def.out)] } : taken;
  }

  return place;
}

const KEYWORDS: { [type: string]: JsonSchema } = {
  object: { type: "object" },
  record: { type: "object" },
  array: { type: "array" },
  tuple: { type: "array", items: false },
  nullable: { anyOf: [{ type: "null" }] },
};

/** What matters to texts about a schema itself, beside its type. */
export function markOf(def: Def): JsonSchema {
  if (def.type === "pipe" && isTransform(def.in)) return { [PREPROCESSED]: true };
  if ("coerce" in def && def.coerce) return { [COERCED]: [def.type] };
  return def.type === "date" ? { [DATED]: true } : {};
}

/** Whether marks stand on the side of a pipe that its input side does not show. */
export const hidesMarks = (def: Def): boolean => def.type === "pipe" && passesOn(def) && holdsMarks(def.out);

function holdsMarks(schema: $ZodType, seen = new Set<$ZodType>()): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  seen.add(schema);
  return (
    Object.keys(markOf(def)).length > 0 || partsOf(def).some(([, part]) => !seen.has(part) && holdsMarks(part, seen))
  );
}

/** Whether what a pipe takes reaches its other side as it is, with no function of the author's in between. */
function passesOn(def: PipeDef): boolean {
  return !("transform" in def) && !isTransform(def.out) && isPlain(def.in);
}

function isPlain(schema: $ZodType, seen = new Set<$ZodType>()): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type === "transform" || "transform" in def) return false;
  seen.add(schema);
  return partsOf(def).every(([, part]) => seen.has(part) || isPlain(part, seen));
}

const typeOf = (schema: $ZodType) => (schema as $ZodTypes)._zod?.def.type;
const isTransform = (schema: $ZodType) => typeOf(schema) === "transform";

/** A document that now stands at a place of another one. */
function moved({ $schema: _, ...document }: JsonSchema, place: string): JsonSchema {
  return rewrite(document, (schema) => {
    const { $ref } = schema;
    return typeof $ref === "string" && $ref.startsWith("#") ? { ...schema, $ref: place + $ref.slice(1) } : schema;
  });
}

function put(document: JsonSchema, place: Place, part: JsonSchema | false): void {
  const [keyword, name] = place;
  if (keyword === undefined) Object.assign(document, part || { not: {} });
  else if (name === undefined) document[keyword] = part;
  else if (typeof name === "number") document[keyword] = [...((document[keyword] as unknown[]) ?? []), part];
  else document[keyword] = Object.fromEntries([...Object.entries(document[keyword] ?? {}), [name, part]]);
}
