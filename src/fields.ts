import { type Branch, branchesOf, own } from "./branches.ts";
import { matches } from "./exact.ts";
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

/** The alternatives of each key of a whole input; keys that nobody declares share theirs. */
export function branchesByKey(input: readonly Branch[], root: JsonSchema): (key: string) => Branch[] {
  const isAlike = !input.some((parts) => parts.some(({ patternProperties }) => patternProperties));
  const known = new Map<string | undefined, Branch[]>();
  return (key) => {
    const name = isAlike && !declares(input, key) ? undefined : key;
    const branches = known.get(name) ?? branchesOf(fieldSchema(input, key), root);
    known.set(name, branches);
    return branches;
  };
}

/** The schema of a key of a whole input: where the alternatives that have it disagree, it may be anything as well. */
function fieldSchema(input: readonly Branch[], key: string): unknown {
  const [parts, another] = input;
  if (parts?.length === 1 && !another) return property(parts, key).allOf[0]; // most tools
  const declaring = input.filter((branch) => declares([branch], key));
  const schemas = (declaring.length > 0 ? declaring : input).map((branch) => property(branch, key));
  const typing = new Set(schemas.length > 1 ? schemas.map(typingOf) : []);
  return schemas.length > 0 && typing.size < 2 ? { anyOf: schemas } : { anyOf: [...schemas, {}] };
}

/** What types a key in one alternative, in whatever order its parts say so. */
const typingOf = ({ allOf }: ReturnType<typeof property>) =>
  [...new Set(allOf.filter((part) => part !== true).map((part) => JSON.stringify(part, TYPING)))].sort().join();

const TYPING = ["type", "items", "prefixItems", "additionalItems", "anyOf", "oneOf", "allOf", "$ref"];

/** The schema of a key in one alternative. */
export const property = (parts: Branch, key: string): { allOf: unknown[] } => ({
  allOf: parts.map((part) => own(part.properties, key) ?? other(part, key)),
});

function other({ patternProperties, additionalProperties }: JsonSchema, key: string): unknown {
  const patterned = Object.entries(patternProperties ?? {}).filter(([pattern]) => matches(key, pattern));
  if (patterned.length > 0) return { allOf: patterned.map(([, schema]) => schema) };
  return additionalProperties || true; // what is forbidden stays a text, for Zod to refuse
}

/** Whether a key is dropped where it is asked for, or all others are taken: Zod does so with `__proto__`. */
export const isLost = (key: string, input: readonly Branch[]): boolean =>
  key === "__proto__" && (declares(input, key) || input.some((parts) => parts.some(takesOthers)));

const takesOthers = ({ patternProperties, additionalProperties }: JsonSchema) =>
  Boolean(patternProperties ?? additionalProperties);
