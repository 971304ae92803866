import { type Branch, branchesOf, fits } from "./branches.ts";
import { coerce, type Given } from "./coerce.ts";
import { readOr } from "./exact.ts";
import { property } from "./fields.ts";
import type { JsonSchema } from "./types.ts";

/** The alternatives of a whole input whose fixed values (`const`, `enum`) agree with what was sent, else all. */
export function narrow(
  input: readonly Branch[],
  sent: ReadonlyMap<string, readonly Given[]>,
  root: JsonSchema,
): readonly Branch[] {
  if (input.length < 2) return input;
  const agreeing = input.filter((branch) =>
    keysOf(branch)
      .filter((key) => sent.has(key))
      .every((key) => agrees(sent.get(key) ?? [], branchesOf(property(branch, key), root), root)),
  );
  return agreeing.length > 0 ? agreeing : input;
}

const keysOf = (branch: Branch) => branch.flatMap(({ properties }) => Object.keys(properties ?? {}));

function agrees(given: readonly Given[], options: Branch[], root: JsonSchema): boolean {
  const isFixed = options.every((option) => option.some((part) => "const" in part || "enum" in part));
  if (!isFixed) return true;
  return readOr(
    () => {
      const value = coerce(given, options, root);
      return options.some((option) => fits(value, option));
    },
    () => false,
  );
}
