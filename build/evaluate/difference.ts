import type { Described, Manifest } from "../../src/manifest.ts";
import { quote } from "../errors.ts";

/** The first thing in which two manifests of one tool differ, in words; undefined where they are the same. */
export function differenceOf(one: Manifest, other: Manifest): string | undefined {
  for (const key of ["name", "description", "version"] as const)
    if (one[key] !== other[key]) return `the ${key} of the tool`;
  const names = ({ subcommands }: Manifest) => subcommands.map(({ name }) => name).join(" ");
  if (names(one) !== names(other)) return "the list of subcommands";
  for (const [index, subcommand] of one.subcommands.entries()) {
    const found = differenceIn(subcommand, other.subcommands[index] as Described);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceIn(one: Described, other: Described): string | undefined {
  for (const [side, name] of Object.entries(SIDES) as [keyof typeof SIDES, string][]) {
    const path = pathOf(one[side], other[side]);
    const what = `the ${name} of ${quote(one.name)}`;
    if (path) return path.length > 0 ? `${what} at ${path.join(".")}` : what;
  }
  return undefined;
}

const SIDES = {
  description: "description",
  input: "input",
  output: "output",
  loose: "input",
  plain: "schemas",
} as const satisfies Partial<Record<keyof Described, string>>;

/** Where two values of JSON differ first. */
function pathOf(one: unknown, other: unknown): string[] | undefined {
  if (one === other) return undefined;
  if (!isContainer(one) || !isContainer(other)) return [];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const path = pathOf(one[key], other[key]);
    if (path) return [key, ...path];
  }
  return undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
