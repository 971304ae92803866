import type { $ZodType, $ZodTypes } from "zod/v4/core";

type Def = $ZodTypes["_zod"]["def"];

/** Where a part stands in the JSON Schema of its whole; nowhere of its own for what is only wrapped. */
export type Place = readonly (string | number)[];

/** The schemas that a Zod 4 schema is made of, as they are asked when it gets an input. */
export function partsOf(def: Def): [place: Place, part: $ZodType][] {
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).map(([key, field]): [Place, $ZodType] => [["properties", key], field]);
      return def.catchall ? [...fields, [["additionalProperties"], def.catchall]] : fields;
    }
    case "array":
      return [[["items"], def.element]];
    case "tuple": {
      const items = def.items.map((item, index): [Place, $ZodType] => [["prefixItems", index], item]);
      return def.rest ? [...items, [["items"], def.rest]] : items;
    }
    case "record":
      return [
        [["propertyNames"], def.keyType],
        [["additionalProperties"], def.valueType],
      ];
    case "union":
      return def.options.map((option, index) => [["anyOf", index], option]);
    case "intersection":
      return [
        [["allOf", 0], def.left],
        [["allOf", 1], def.right],
      ];
    case "pipe":
      return [
        [["allOf", 0], def.in],
        [["allOf", 1], def.out],
      ];
    case "nullable":
      return [[["anyOf", 0], def.innerType]];
    case "lazy":
      return [[[], def.getter()]];
    case "success": // takes anything
      return [];
    default:
      return "innerType" in def ? [[[], def.innerType]] : [];
  }
}
