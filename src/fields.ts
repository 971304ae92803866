import { type Branch, branchesOf, fits, own } from "./branches.ts";
import { coerce, type Given } from "./coerce.ts";
import { readOr } from "./exact.ts";
import type { JsonSchema } from "./types.ts";

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
  return schemas.length === 0 || typing.size > 1 ? {} : { anyOf: schemas };
}

const typingOf = (schema: JsonSchema) =>
  JSON.stringify(schema, ["type", "items", "prefixItems", "additionalItems", "anyOf", "oneOf", "allOf", "$ref"]);

const property = (parts: Branch, key: string): JsonSchema => ({
  allOf: parts.map((part) => own(part.properties, key) ?? true),
});

const additional = (parts: Branch): JsonSchema => ({
  allOf: parts.map((part) => part.additionalProperties || true), // what is forbidden stays a text, for Zod to refuse
});

/** The alternatives of a whole input whose fixed values (`const`, `enum`) agree with what was sent, else all. */
export function narrow(
  input: readonly Branch[],
  sent: ReadonlyMap<string, readonly Given[]>,
  root: JsonSchema,
): readonly Branch[] {
  if (input.length < 2) return input;
  const agreeing = input.filter((branch) =>
    [...sent].every(([key, given]) => agrees(given, branchesOf(property(branch, key), root), root)),
  );
  return agreeing.length > 0 ? agreeing : input;
}

function agrees(given: readonly Given[], options: Branch[], root: JsonSchema): boolean {
  const isFixed = options.every((option) => option.some((part) => "const" in part || "enum" in part));
  if (!isFixed) return true;
  const anyOf = options.map((parts) => ({ allOf: parts }));
  return readOr(
    () => {
      const value = coerce(given, { anyOf }, root);
      return options.some((option) => fits(value, option));
    },
    () => false,
  );
}
