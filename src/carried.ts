import { renderJson } from "./json.ts";
import type { JsonSchema } from "./types.ts";

type Path = readonly (string | number)[];

/** What a conversion found: no document where it failed, and what of the schema JSON cannot carry (`{}` in the document). */
export type Conversion = { document?: JsonSchema; problems: readonly string[] };

/** What JSON cannot carry, by its place in the document. */
export class Problems {
  readonly #found: { path: Path; why: string }[] = [];

  add(path: Path, why: string): void {
    this.#found.push({ path, why });
  }

  /** Takes back what was found at a place that turns out to accept anything. */
  forgive(path: Path): void {
    const inside = (other: Path) => path.every((step, index) => step === other[index]);
    this.#found.splice(0, Infinity, ...this.#found.filter((problem) => !inside(problem.path)));
  }

  texts(): string[] {
    return [...new Set(this.#found.map(({ path, why }) => at(path, why)))];
  }
}

/** `why` with the field that it is about. */
export function at(path: Path, why: string): string {
  const place = placeOf(path);
  return place.length > 0 ? `${place.join(".")}: ${why}` : why;
}

export const UNKNOWN_RESULT = "what a transform makes is unknown: .pipe() it into a schema that says so";

export const noJson = (what: string) => `${what} has no JSON form`;

/** The fields that lead to a place in a JSON Schema: `["properties", "tags", "items"]` is `tags.items`. */
function placeOf(path: Path): Path {
  const place: (string | number)[] = [];
  for (let index = 0; index < path.length; index++) {
    const step = path[index] ?? "";
    if (step === "anyOf" || step === "oneOf" || step === "allOf") index++;
    else if (step === "properties" || step === "prefixItems") place.push(path[++index] ?? "");
    else place.push(step);
  }
  return place;
}

/** A coerced bigint, as it may be sent. */
export const bigintInput = () => ({ anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?\\d+$" }] });

/** A default as JSON, that of a bigint as its digits; nothing where JSON cannot carry it. */
export function jsonDefault(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  try {
    return JSON.parse(renderJson(value));
  } catch {
    return undefined;
  }
}

/** What of a literal's values JSON does not have. */
export function lostLiteral(values: readonly unknown[]): string | undefined {
  const lost = values.find(
    (value) => !(value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)),
  );
  if (lost === undefined && !values.includes(undefined)) return undefined;
  return `the literal ${typeof lost === "bigint" ? `${lost}n` : String(lost)}`;
}
