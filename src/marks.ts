import type { JsonSchema } from "./types.ts";

/** A keyword of our own, for typing argv: the text is first of all for a function of the author's (`z.preprocess`). */
export const PREPROCESSED = "x-preprocessed";

/** Another: the types that `z.coerce` would make of anything, so that only a value of theirs may reach it. */
export const COERCED = "x-coerced";

/** A third: a `z.date()`, which takes no text, but is described as one. */
export const DATED = "x-date";

const MARKS = [PREPROCESSED, COERCED, DATED];

/** Whether a document has a mark anywhere. */
export function isMarked(document: JsonSchema): boolean {
  const text = JSON.stringify(document);
  return MARKS.some((mark) => text.includes(mark));
}

const ONE = ["items", "additionalItems", "additionalProperties", "propertyNames"];
const SEVERAL = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const NAMED = ["properties", "patternProperties", "$defs"];

/** A document in which `change` has replaced every schema, those inside first. */
export function rewrite(document: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (one: unknown) => (typeof one === "object" && one !== null ? rewrite({ ...one }, change) : one);
  const entries = Object.entries(document).map(([keyword, value]): [string, unknown] => {
    if (SEVERAL.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
    if (ONE.includes(keyword)) return [keyword, inner(value)];
    if (!NAMED.includes(keyword) || typeof value !== "object" || value === null) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))];
  });
  return change(Object.fromEntries(entries));
}

/** The marks of a document where they are, and nothing else: it types no value. */
export function onlyMarks(document: JsonSchema): JsonSchema {
  return rewrite(document, (schema) =>
    Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => LEADING.has(keyword) && value !== false)),
  );
}

const LEADING = new Set([...ONE, ...SEVERAL, ...NAMED, ...MARKS, "$ref"]);
