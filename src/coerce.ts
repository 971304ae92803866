import {
  admitsBoolean,
  type Branch,
  branchesOf,
  fits,
  isBoolean,
  isList,
  isNull,
  isText,
  itemSchema,
  itemsOf,
  typeOf,
} from "./branches.ts";
import { conform } from "./conform.ts";
import { describe } from "./describe.ts";
import {
  isDecimal,
  isHeld,
  matches,
  quote,
  Refusal,
  readBoolean,
  readDate,
  readJson,
  readNumber,
  readOr,
  shown,
} from "./exact.ts";
import { COERCED, DATED, PREPROCESSED } from "./marks.ts";
import type { JsonSchema } from "./types.ts";

/** What a caller sent for a field: a text, or a flag without a value (`--v` is true, `--no-v` false). */
export type Given = string | boolean;

/** The value of a field that was sent once or several times; throws a `Refusal` rather than guess. */
export function coerce(given: readonly Given[], branches: Branch[], root: JsonSchema): unknown {
  return conform(read(given, branches, root), branches, root);
}

function read(given: readonly Given[], branches: Branch[], root: JsonSchema): unknown {
  const last = given.at(-1) ?? true;
  if (branches.some((branch) => typeOf(branch) === undefined)) return last;
  const lists = branches.filter(isList);
  if (given.length > 1 && lists.length > 0) return readItems(given, lists, root);
  const readLast = () => (typeof last === "string" ? readText(last, branches, root) : readBare(last, branches, root));
  return branches.some(isPreprocessed) ? leaveToAuthor(last, readLast) : readLast();
}

function readItems(given: readonly Given[], lists: Branch[], root: JsonSchema): unknown[] {
  const branchesAt = itemsOf(lists, root);
  return given.map((item, index) => within(index, () => read([item], branchesAt(index), root)));
}

function within<T>(index: number, read: () => T): T {
  return readOr(read, (refusal) => {
    throw refusal.inside(index);
  });
}

const isCoerced = (branch: Branch) => branch.some((part) => part[COERCED]);
const isPreprocessed = (branch: Branch) => branch.some((part) => part[PREPROCESSED] === true);

/** What can only be refused, or be a list of one, is left for the author's own function to read. */
function leaveToAuthor(given: Given, read: () => unknown): unknown {
  const value = readOr(read, () => given);
  return Array.isArray(value) && !String(given).trimStart().startsWith("[") ? given : value;
}

function readBare(bare: boolean, branches: Branch[], root: JsonSchema): unknown {
  if (branches.some(isBoolean)) return bare;
  const lists = branches.filter(isList);
  if (lists.length > 0 && admitsBoolean(branchesOf(itemSchema(lists, 0), root))) return [bare];
  throw new Refusal(describe(branches), "no value", "missing_value");
}

function readText(text: string, branches: Branch[], root: JsonSchema): unknown {
  const strings = branches.filter(isText);
  if (strings.some((branch) => admitsText(text, branch))) return text;
  for (const value of scalarsOf(text))
    if (value !== undefined && branches.some((branch) => fits(value, branch))) return value;
  const lists = branches.filter(isList);
  const json = readJsonOf(text, branches);
  if (Array.isArray(json)) return readList(json, lists, root);
  if (json !== undefined) return json;
  if (strings.some((branch) => mayAdmit(text, branch, branches))) return text;
  const items = branchesOf(itemSchema(lists, 0), root).filter((branch) => !isList(branch)); // a list of lists is JSON
  if (lists.length > 0 && items.length > 0) return [read([text], items, root)];
  throw refusal(text, branches);
}

/** What a text may be beside itself; undefined for what it is not. */
function scalarsOf(text: string): unknown[] {
  return [text === "null" ? null : undefined, readNumber(text), readBoolean(text)];
}

/** A JSON array that was sent once: all of the list, or its one item where the items are lists themselves. */
function readList(json: unknown[], lists: Branch[], root: JsonSchema): unknown[] {
  return readOr(
    () => checkItems(json, lists, root),
    (refusal) => {
      const inner = branchesOf(itemSchema(lists, 0), root).filter(isList);
      return readOr(
        () => [checkItems(json, inner, root)],
        () => {
          throw refusal;
        },
      );
    },
  );
}

/** Each item of a JSON array as its schema has it: what does not fit is not passed on, it is in the wrong list. */
function checkItems(json: unknown[], lists: Branch[], root: JsonSchema): unknown[] {
  if (lists.length === 0) throw new Refusal("no list", "one");
  const branchesAt = itemsOf(lists, root);
  return json.map((item, index) => {
    const branches = branchesAt(index);
    if (branches.some((branch) => fits(item, branch) || isCoerced(branch))) return item;
    throw new Refusal(describe(branches), shown(item), "invalid_type", [index]);
  });
}

/** The JSON array or object that one of these branches may take; undefined for what may still be an ordinary text. */
function readJsonOf(text: string, branches: Branch[]): unknown {
  const wanted = { "[": "array", "{": "object" }[text.trimStart().slice(0, 1)];
  if (wanted === undefined || !branches.some((branch) => typeOf(branch) === wanted)) return undefined;
  return readOr(
    () => readJson(text),
    (refusal) => {
      const mayBeText = branches.some((branch) => isList(branch) || isText(branch));
      if (refusal.code === "invalid_format" && mayBeText) return undefined;
      throw refusal;
    },
  );
}

/** Whether a flag of this schema takes the next word as its value: a boolean takes only the words for one. */
export function takesWord(word: string, branches: Branch[]): boolean {
  const isSwitch = branches.some(isBoolean) && branches.every((branch) => isBoolean(branch) || isNull(branch));
  if (!isSwitch || word.trim() === "") return true; // a blank is refused, not passed over
  return readBoolean(word) !== undefined || (word === "null" && branches.some(isNull));
}

function admitsText(text: string, branch: Branch, flags = ""): boolean {
  return (
    fits(text, branch) &&
    !isBlankDate(text, branch) &&
    branch.every(({ pattern, [DATED]: dated }) => matches(text, pattern, flags) && (!dated || readDate(text)))
  );
}

/** Whether Zod should see a text that nothing else reads: JSON Schema knows no flags of a pattern, and no `trim`. */
function mayAdmit(text: string, branch: Branch, branches: Branch[]): boolean {
  const isAllText = branches.every((one) => isText(one) || isNull(one));
  return isAllText
    ? !isBlankDate(text, branch) && !branch.some((part) => part[DATED])
    : admitsText(text.trim(), branch, "ims");
}

const isBlankDate = (text: string, branch: Branch) =>
  text.trim() === "" && branch.some(({ format }) => format === "date-time");

function refusal(text: string, branches: Branch[]): Refusal {
  const isLost = isDecimal(text.trim()) && !isHeld(text.trim());
  return new Refusal(describe(branches), quote(text) + (isLost ? ", which a double cannot hold" : ""));
}
