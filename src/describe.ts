import { type Branch, fixedValues, typeOf } from "./branches.ts";
import { COERCED, DATED } from "./marks.ts";

/** What a schema takes, in words. */
export function describe(branches: readonly Branch[]): string {
  return [...new Set(branches.map(describeOne))].join(" or ") || "nothing";
}

function describeOne(branch: Branch): string {
  const fixed = branch.map(fixedValues).find((values) => values !== undefined);
  if (fixed) return fixed.map((value) => JSON.stringify(value)).join(" or ");
  if (branch.some((part) => part[DATED])) return 'a date and time such as "2020-01-31T12:00:00Z"';
  const type = typeOf(branch) ?? branch.flatMap((part) => part[COERCED] ?? [])[0];
  const form = branch.map(({ format, pattern }) => format ?? pattern).find((one) => one !== undefined);
  if (type === "string") return form === undefined ? "a text" : `a text of the form ${form}`;
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list";
  if (type === "object") return "a JSON object";
  if (type === undefined) return "anything";
  return type === "null" ? "null" : `${type === "integer" ? "an" : "a"} ${type}`;
}
