import type { JsonSchema } from "./types.ts";

/** What a caller sent for a field: a text, or a flag without a value (`--v` is true, `--no-v` false). */
export type Given = string | boolean;

/** Plain schemas that hold together: one of the alternatives that a schema leaves open. */
export type Branch = readonly JsonSchema[];

/** A text that is not a value of its field. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly expected: string;
  readonly code: string;

  constructor(expected: string, got: string, code = "invalid_type") {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.code = code;
  }
}

/** The value of a field that was sent once or several times; throws a `Refusal` rather than guess. */
export function coerce(given: readonly Given[], schema: unknown, root: JsonSchema): unknown {
  const branches = branchesOf(schema, root);
  const last = given.at(-1) ?? true;
  if (branches.some((branch) => typeOf(branch) === undefined)) return last;
  const lists = branches.filter(isList);
  if (given.length > 1 && lists.length > 0) {
    return given.map((item, index) => coerce([item], itemSchema(lists, index), root));
  }
  return typeof last === "string" ? readText(last, branches, root) : readBare(last, branches, root);
}

function readBare(bare: boolean, branches: Branch[], root: JsonSchema): unknown {
  if (branches.some(isBoolean)) return bare;
  const lists = branches.filter(isList);
  if (lists.length > 0 && admitsBoolean(itemSchema(lists, 0), root)) return [bare];
  throw new Refusal(describe(branches), "no value", "missing_value");
}

function readText(text: string, branches: Branch[], root: JsonSchema): unknown {
  const strings = branches.filter(isText);
  if (strings.some((branch) => admitsText(text, branch))) return text;
  for (const value of readScalars(text)) {
    if (branches.some((branch) => fits(value, branch))) return value;
  }
  const lists = branches.filter(isList);
  const json = readJsonOf(text, branches);
  if (Array.isArray(json)) return readList(json, lists, text, root);
  if (json !== undefined) return json;
  if (strings.some((branch) => mayAdmit(text, branch, branches))) return text;
  if (lists.length > 0) return [coerce([text], itemSchema(lists, 0), root)];
  throw refusal(text, branches);
}

function* readScalars(text: string): Generator<unknown> {
  if (text === "null") yield null;
  const number = readNumber(text);
  if (number !== undefined) yield number;
  const boolean = readBoolean(text);
  if (boolean !== undefined) yield boolean;
}

/** A JSON array that was sent once: all of the list, or its one item where the items are lists themselves. */
function readList(json: unknown[], lists: Branch[], text: string, root: JsonSchema): unknown[] {
  if (fitsList(json, lists, root)) return json;
  const inner = branchesOf(itemSchema(lists, 0), root).filter(isList);
  if (inner.length > 0 && fitsList(json, inner, root)) return [json];
  throw refusal(text, lists); // and not passed on: `z.coerce` would make something of any item
}

const fitsList = (json: unknown[], lists: Branch[], root: JsonSchema) =>
  json.every((item, index) => branchesOf(itemSchema(lists, index), root).some((branch) => fits(item, branch)));

/** A finite decimal number that a double holds; undefined for every other text. */
function readNumber(text: string): number | undefined {
  const literal = text.trim();
  return isDecimal(literal) && isHeld(literal) ? Number(literal) : undefined;
}

const isDecimal = (literal: string) => /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(literal);

/** Whether a double is what was written: neither infinite, nor nothing, nor the neighbour of an integer. */
function isHeld(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^[^eE]*[1-9]/.test(literal);
  if (!/^[+-]?\d+(\.0*)?$/.test(literal)) return true;
  const integer = BigInt(literal.replace(/\.0*$/, ""));
  return integer === BigInt(value) || String(integer) === String(value); // 2 ** 60 is printed as 1152921504606847000
}

function readBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/.test(text) || text.toLowerCase() === "true") return true;
  if (/^(false|0|no|off)$/.test(text) || text.toLowerCase() === "false") return false;
  return undefined;
}

/** One JSON document, with a BOM or without; refuses numbers that a double cannot hold, at any depth. */
export function readJson(text: string): unknown {
  const document = text.replace(/^\uFEFF/, "");
  const value = parse(document);
  const lost = findLostNumber(document);
  if (lost !== undefined) throw new Refusal("numbers that a double can hold", quote(lost), "invalid_value");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal("JSON", `${quote(text)} (${why})`, "invalid_format");
  }
}

function findLostNumber(json: string): string | undefined {
  if (!/\d{16}|[eE][+-]?\d{3}/.test(json)) return undefined;
  const outsideStrings = json
    .replace(/\\./g, "")
    .split('"')
    .filter((_, index) => index % 2 === 0);
  return outsideStrings.flatMap((part) => part.match(/-?\d[\d.eE+-]*/g) ?? []).find((literal) => !isHeld(literal));
}

/** The JSON array or object that one of these branches may take; undefined for what may still be an ordinary text. */
function readJsonOf(text: string, branches: Branch[]): unknown {
  const wanted = { "[": "array", "{": "object" }[text.trimStart().slice(0, 1)];
  if (wanted === undefined || !branches.some((branch) => typeOf(branch) === wanted)) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    const isSyntax = error instanceof Refusal && error.code === "invalid_format";
    if (isSyntax && branches.some((branch) => isList(branch) || isText(branch))) return undefined;
    throw error;
  }
}

/** Whether a flag of this schema takes the next word as its value: a boolean takes only the words for one. */
export function takesWord(word: string, schema: unknown, root: JsonSchema): boolean {
  const branches = branchesOf(schema, root);
  const isSwitch = branches.some(isBoolean) && branches.every((branch) => isBoolean(branch) || isNull(branch));
  const isValue = readBoolean(word) !== undefined || (word === "null" && branches.some(isNull));
  return !isSwitch || isValue || word.trim() === ""; // a blank is refused, not passed over
}

export const admitsBoolean = (schema: unknown, root: JsonSchema) => branchesOf(schema, root).some(isBoolean);

/** The schema of one item of a list; undefined where the schema describes no list. */
export function itemOf(schema: unknown, index: number, root: JsonSchema): JsonSchema | undefined {
  const lists = branchesOf(schema, root).filter(isList);
  return lists.length > 0 ? itemSchema(lists, index) : undefined;
}

function itemSchema(lists: Branch[], index: number): JsonSchema {
  return { anyOf: lists.map((parts) => ({ allOf: parts.map((part) => partItem(part, index)) })) };
}

function partItem({ prefixItems, items, additionalItems }: JsonSchema, index: number): unknown {
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []; // draft 7: `items`
  return tuple[index] ?? (tuple === items ? additionalItems : items) ?? true;
}

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
  try {
    const value = coerce(given, { anyOf: options.map((parts) => ({ allOf: parts })) }, root);
    return options.some((option) => fits(value, option));
  } catch {
    return false;
  }
}

/** The alternatives that a schema leaves open: none where nothing is admitted, one without parts for anything. */
export function branchesOf(schema: unknown, root: JsonSchema, seen: readonly string[] = []): Branch[] {
  if (schema === false) return [];
  if (!isSchema(schema)) return [[]];
  const { $ref, allOf, anyOf, oneOf, not } = schema;
  if (not === true || (isSchema(not) && Object.keys(not).length === 0)) return [];

  const factors = [typesOf(schema).map((type): Branch => [{ ...schema, type }])];
  const alternatives = (schemas: unknown[]) => schemas.flatMap((one) => branchesOf(one, root, seen));
  if (typeof $ref === "string") {
    factors.push(seen.includes($ref) ? [] : branchesOf(resolve($ref, root), root, [...seen, $ref]));
  }
  if (Array.isArray(anyOf)) factors.push(alternatives(anyOf));
  if (Array.isArray(oneOf)) factors.push(alternatives(oneOf));
  if (Array.isArray(allOf)) factors.push(...allOf.map((one) => alternatives([one])));
  return factors.reduce(combine);
}

const combine = (some: Branch[], others: Branch[]): Branch[] =>
  some.flatMap((one) => others.map((other) => [...one, ...other])).filter(isPossible);

const isPossible = (parts: Branch) =>
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

function typeOf(parts: Branch): unknown {
  const types = parts.map(({ type }) => type).filter((type) => type !== undefined);
  return types.includes("integer") ? "integer" : types[0];
}

const isList = (branch: Branch) => typeOf(branch) === "array";
const isBoolean = (branch: Branch) => typeOf(branch) === "boolean";
const isText = (branch: Branch) => typeOf(branch) === "string";
const isNull = (branch: Branch) => typeOf(branch) === "null";

/** Whether a value is of the type of this branch, and one of its fixed values; what is inside is for Zod. */
function fits(value: unknown, branch: Branch): boolean {
  const type = typeOf(branch);
  const isOfType = type === "integer" ? Number.isInteger(value) : type === undefined || type === kindOf(value);
  return isOfType && branch.every((part) => fixedValues(part)?.includes(value) ?? true);
}

function fixedValues(part: JsonSchema): unknown[] | undefined {
  if ("const" in part) return [part.const];
  return Array.isArray(part.enum) ? part.enum : undefined;
}

function admitsText(text: string, branch: Branch, flags = ""): boolean {
  return (
    fits(text, branch) && !isBlankDate(text, branch) && branch.every(({ pattern }) => matches(text, pattern, flags))
  );
}

/** Whether Zod should see a text that nothing else reads: JSON Schema knows no flags of a pattern, and no `trim`. */
function mayAdmit(text: string, branch: Branch, branches: Branch[]): boolean {
  const isAllText = branches.every((one) => isText(one) || isNull(one));
  return isAllText ? !isBlankDate(text, branch) : admitsText(text.trim(), branch, "ims");
}

const isBlankDate = (text: string, branch: Branch) =>
  text.trim() === "" && branch.some(({ format }) => format === "date-time");

function matches(text: string, pattern: unknown, flags: string): boolean {
  if (typeof pattern !== "string") return true;
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(pattern, mode + flags).test(text);
    } catch {} // written for the other mode
  }
  return true;
}

function refusal(text: string, branches: Branch[]): Refusal {
  const isLost = isDecimal(text.trim()) && !isHeld(text.trim());
  return new Refusal(describe(branches), quote(text) + (isLost ? ", which a double cannot hold" : ""));
}

function describe(branches: Branch[]): string {
  return [...new Set(branches.map(describeOne))].join(" or ") || "nothing";
}

function describeOne(branch: Branch): string {
  const fixed = branch.map(fixedValues).find((values) => values !== undefined);
  if (fixed) return fixed.map((value) => JSON.stringify(value)).join(" or ");
  const type = typeOf(branch);
  const form = branch.map(({ format, pattern }) => format ?? pattern).find((one) => one !== undefined);
  if (type === "string") return form === undefined ? "a text" : `a text of the form ${form}`;
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list";
  if (type === "object") return "a JSON object";
  return type === "null" ? "null" : `${type === "integer" ? "an" : "a"} ${type}`;
}

/** A text as it stands in a message: in quotes, and cut where it is long. */
export const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);

const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

const own = (holder: unknown, key: string) =>
  isSchema(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
