import { type Branch, fixedValues, typeOf } from "./branches.ts";

/** What a schema takes, in words. */
export function describe(branches: Branch[]): string {
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
