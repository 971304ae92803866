import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { at } from "./carried.ts";
import { stringifyError } from "./errors.ts";
import { type Place, partsOf } from "./parts.ts";

type Def = $ZodTypes["_zod"]["def"];

/** Why `convert` throws at a Zod 4 schema, looked for in the innermost part that it throws at. */
export function blame(schema: unknown, convert: (part: $ZodType) => unknown): string[] {
  const seen = new Set<unknown>();
  return search(schema, []);

  function search(schema: unknown, place: Place): string[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const internals = (schema as Partial<$ZodTypes>)._zod;
    if (!internals) return [at(place, MIXED_IN_4)];
    try {
      convert(schema as $ZodType);
      return [];
    } catch (error) {
      const inside = partsOf(internals.def).flatMap(([step, part]) => search(part, [...place, ...step]));
      return inside.length > 0 ? inside : [at(place, reasonOf(internals.def, error))];
    }
  }
}

const MIXED_IN_4 = "a zod/v3 schema inside a Zod 4 one cannot be converted: build both with the same Zod";

function reasonOf(def: Def, error: unknown): string {
  if (def.type !== "default" || !(error instanceof SyntaxError)) return stringifyError(error);
  return "a default of undefined has no JSON form: leave it out, .optional() says the same"; // Zod parses "undefined"
}
