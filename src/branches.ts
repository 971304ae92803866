import type { JsonSchema } from "./types.ts";

/** Plain schemas that hold together: one of the alternatives that a schema leaves open. */
export type Branch = readonly JsonSchema[];

/** The alternatives that a schema leaves open: none where nothing is admitted, one without parts for anything. */
export function branchesOf(schema: unknown, root: JsonSchema, seen: readonly string[] = []): Branch[] {
  if (schema === false) return [];
  if (!isSchema(schema)) return [[]];
  const { type, $ref, allOf, anyOf, oneOf, not } = schema;
  if (typeof type === "string" && !($ref || allOf || anyOf || oneOf || not)) return [[schema]]; // most fields of most tools
  if (not === true || (isSchema(not) && Object.keys(not).length === 0)) return [];

  const isOnlyBrackets = (allOf ?? anyOf ?? oneOf) !== undefined && Object.keys(schema).length === 1;
  const factors = isOnlyBrackets ? [] : [typesOf(schema).map((type): Branch => [{ ...schema, type }])];
  const alternatives = (schemas: unknown[]) => schemas.flatMap((one) => branchesOf(one, root, seen));
  if (typeof $ref === "string") {
    factors.push(seen.includes($ref) ? [] : branchesOf(resolve($ref, root), root, [...seen, $ref]));
  }
  if (Array.isArray(anyOf)) factors.push(alternatives(anyOf));
  if (Array.isArray(oneOf)) factors.push(alternatives(oneOf));
  if (Array.isArray(allOf)) factors.push(...allOf.map((one) => alternatives([one])));
  return factors.length === 1 ? (factors[0] ?? []) : factors.reduce(combine, [[]]);
}

/** Both at once; past what can be looked at, either: that types a key by whoever declares it, and Zod has the last word. */
function combine(some: Branch[], others: Branch[]): Branch[] {
  if (some.length * others.length > MOST && some.length > 1 && others.length > 1) return [...some, ...others];
  return some.flatMap((one) => others.map((other) => [...one, ...other])).filter(isPossible);
}

const MOST = 256;

const isPossible = (parts: Branch) =>
  parts.length < 2 ||
  new Set(parts.flatMap(({ type }) => (type === undefined ? [] : type === "integer" ? "number" : type))).size < 2;

function resolve(ref: string, root: JsonSchema): unknown {
  if (!/^#(\/|$)/.test(ref)) return true;
  const steps = ref.split("/").slice(1);
  return steps.reduce<unknown>((at, step) => own(at, step.replaceAll("~1", "/").replaceAll("~0", "~")), root);
}

function typesOf(schema: JsonSchema): unknown[] {
  const { type } = schema;
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if ("const" in schema) return [kindOf(schema.const)];
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(kindOf))];
  if (schema.properties ?? schema.additionalProperties ?? schema.propertyNames) return ["object"];
  return [(schema.items ?? schema.prefixItems) ? "array" : undefined];
}

export function typeOf(parts: Branch): unknown {
  if (parts.length === 1) return parts[0]?.type;
  const types = parts.map(({ type }) => type).filter((type) => type !== undefined);
  return types.includes("integer") ? "integer" : types[0];
}

export const isList = (branch: Branch) => typeOf(branch) === "array";
export const isBoolean = (branch: Branch) => typeOf(branch) === "boolean";
export const isText = (branch: Branch) => typeOf(branch) === "string";
export const isNull = (branch: Branch) => typeOf(branch) === "null";

/** Whether a boolean is meant, and not anything. */
export const admitsBoolean = (branches: Branch[]) =>
  branches.some(isBoolean) && branches.every((branch) => typeOf(branch) !== undefined);

/** The alternatives of an item, by its index: all behind the last one of a tuple share them. */
export function itemsOf(lists: Branch[], root: JsonSchema): (index: number) => Branch[] {
  const longest = Math.max(0, ...lists.flatMap((parts) => parts.map((part) => tupleOf(part).length)));
  const known: Branch[][] = [];
  return (index) => {
    const at = Math.min(index, longest);
    known[at] ??= branchesOf(itemSchema(lists, at), root);
    return known[at];
  };
}

export function itemSchema(lists: Branch[], index: number): JsonSchema {
  return { anyOf: lists.map((parts) => ({ allOf: parts.map((part) => partItem(part, index)) })) };
}

function partItem(part: JsonSchema, index: number): unknown {
  const tuple = tupleOf(part);
  return tuple[index] ?? (tuple === part["items"] ? part["additionalItems"] : part["items"]) ?? true;
}

function tupleOf({ prefixItems, items }: JsonSchema): unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []; // draft 7: `items`
}

/** Whether a value is of the type of this branch, and one of its fixed values; what is inside is for Zod. */
export function fits(value: unknown, branch: Branch): boolean {
  const type = typeOf(branch);
  const isOfType = type === "integer" ? Number.isInteger(value) : type === undefined || type === kindOf(value);
  return isOfType && branch.every((part) => fixedValues(part)?.includes(value) ?? true);
}

export function fixedValues(part: JsonSchema): unknown[] | undefined {
  if ("const" in part) return [part.const];
  return Array.isArray(part.enum) ? part.enum : undefined;
}

const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

export const own = (holder: unknown, key: string) =>
  isSchema(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
