import { ZodFirstPartyTypeKind as Kind, type ZodFirstPartySchemaTypes, type ZodTypeAny, type ZodTypeDef } from "zod/v3";
import { parseDef, type Refs } from "zod-to-json-schema";
import type { JsonSchema } from "./types.ts";

export type Choice = Extract<ZodFirstPartySchemaTypes["_def"], { typeName: Kind.ZodUnion | Kind.ZodNullable }>;

export const isChoice = (def: ZodTypeDef): def is Choice =>
  "typeName" in def && (def.typeName === Kind.ZodUnion || def.typeName === Kind.ZodNullable);

const optionsOf = (def: Choice): ZodTypeAny[] =>
  def.typeName === Kind.ZodNullable ? [def.innerType] : [...def.options.values()];

/** The converter folds a choice of simple types into one `type` list, bigints among them, without looking at each. */
export function spellBigints(drawn: JsonSchema, def: Choice, refs: Refs): JsonSchema {
  const isBigint = ({ _def }: ZodTypeAny) => _def.typeName === Kind.ZodBigInt || typeof _def.value === "bigint";
  return optionsOf(def).some(isBigint) ? spellOut(drawn, def, refs) : drawn;
}

/** And what `z.coerce` would make something else of. */
export function spellCoerced(drawn: JsonSchema, def: Choice, refs: Refs): JsonSchema {
  const isFolded = drawn["anyOf"] === undefined && optionsOf(def).some(({ _def }) => _def.coerce);
  return isFolded ? spellOut(drawn, def, refs) : drawn;
}

function spellOut(drawn: JsonSchema, def: Choice, refs: Refs): JsonSchema {
  const options = optionsOf(def);
  const { type: _type, enum: _enum, ...rest } = drawn;
  const anyOf = options.map(({ _def }, index) =>
    parseDef(_def, { ...refs, currentPath: [...refs.currentPath, "anyOf", String(index)] }),
  );
  return { ...rest, anyOf: def.typeName === Kind.ZodNullable ? [...anyOf, { type: "null" }] : anyOf };
}

/** A union with undefined says "or nothing at all", which `required` tells. */
export function dropAbsent(drawn: JsonSchema, anyOf: readonly unknown[], def: Choice): JsonSchema {
  const absent = optionsOf(def).map(
    ({ _def }) => _def.typeName === Kind.ZodUndefined || _def.typeName === Kind.ZodVoid,
  );
  const present = anyOf.filter((_, index) => !absent[index]);
  return present.length > 0 ? { ...drawn, anyOf: present } : drawn;
}
