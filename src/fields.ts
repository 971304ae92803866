import { type Branch, own } from "./branches.ts";
import { COERCED, type JsonSchema } from "./types.ts";

/** Whether any alternative of a whole input declares this key. */
export const declares = (input: readonly Branch[], key: string) =>
  input.some((parts) => parts.some((part) => own(part.properties, key) !== undefined));

export const declaredKeys = (input: readonly Branch[]): string[] => [
  ...new Set(input.flatMap((parts) => parts.flatMap(({ properties }) => Object.keys(properties ?? {})))),
];

/** Whether a whole input refuses keys that it does not declare. */
export const isStrict = (input: readonly Branch[]) =>
  input.length > 0 && input.every((parts) => parts.some((part) => part.additionalProperties === false));

/** The schema of a key of a whole input: what every alternative that has it agrees on, else anything. */
export function fieldSchema(input: readonly Branch[], key: string): JsonSchema {
  const declaring = input.filter((branch) => declares([branch], key));
  const schemas = declaring.length > 0 ? declaring.map((branch) => property(branch, key)) : input.map(additional);
  const typing = new Set(schemas.length > 1 ? schemas.map(typingOf) : []);
  if (schemas.length > 0 && typing.size < 2) return { anyOf: schemas };
  const coerced = schemas.flatMap(({ allOf }) => (allOf as JsonSchema[]).flatMap((part) => part[COERCED] ?? []));
  return coerced.length > 0 ? { [COERCED]: coerced } : {};
}

const typingOf = (schema: JsonSchema) =>
  JSON.stringify(schema, ["type", "items", "prefixItems", "additionalItems", "anyOf", "oneOf", "allOf", "$ref"]);

export const property = (parts: Branch, key: string): JsonSchema => ({
  allOf: parts.map((part) => own(part.properties, key) ?? true),
});

const additional = (parts: Branch): JsonSchema => ({
  allOf: parts.map((part) => part.additionalProperties || true), // what is forbidden stays a text, for Zod to refuse
});
