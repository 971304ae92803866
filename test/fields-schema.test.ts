import { suite } from "uvu";
import { compare, printed, type Row, type Typed, tokens, ways } from "./fields.ts";

const file = "test/fixtures/fields/directions.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const number = { type: "number" };
const text = { type: "string" };
const day = { type: "string", format: "date-time" };
const input = (properties: object, required: string[] = []) => ({
  $schema,
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const output = (properties: object, required = Object.keys(properties)) => ({
  $schema,
  type: "object",
  properties: { ok: { type: "boolean", const: true }, message: text, ...properties },
  required: ["ok", "message", ...required],
  additionalProperties: false,
});

const on = { on: { default: true, type: "boolean" } };
const size = { default: 3, type: "number" };

const schemas: [subcommand: string, sides: object][] = [
  // a default is optional on the way in and always there on the way out
  [
    "defaults",
    {
      input: input({ size, deep: { type: "object", properties: on } }),
      output: output(
        { size, deep: { type: "object", properties: on, required: ["on"], additionalProperties: false } },
        ["size"],
      ),
    },
  ],
  // what is filled in otherwise is optional too
  [
    "fallbacks",
    {
      input: input({ c: { default: 0, type: "number" }, p: text, pre: { default: "y", type: "string" } }),
      output: output({ c: { default: 0, type: "number" } }),
    },
  ],
  // a transform is described by what may be sent
  [
    "transforms",
    { input: input({ text, other: number, day }, ["text", "other", "day"]), output: output({ length: number, day }) },
  ],
  // a refinement hides no property
  ["refined", { input: input({ from: number, to: number }, ["from", "to"]), output: output({}) }],
  // a schema of zod/v3 is whole
  [
    "zod3",
    {
      input: {
        type: "object",
        properties: { n: number, size: { type: "number", default: 3 }, text },
        required: ["n", "text"],
        $schema: "http://json-schema.org/draft-07/schema#",
      },
      output: output({ size: number }),
    },
  ],
  // what JSON cannot carry is an error of its own side
  ["uncarried", { input: { $error: "map: a Map has no JSON form" }, output: output({ n: number }) }],
];

const rows: Row[] = [
  ...schemas.map(
    ([name, sides]): Row => [
      ["schema", name],
      printed({ ok: true, message: `the JSON Schema of "${name}"`, schemas: { [name]: sides } }),
    ],
  ),
  [
    "schema",
    printed({
      ok: true,
      message: "the JSON Schema of every subcommand",
      schemas: Object.fromEntries(schemas.map(([name, sides]) => [name, sides])),
    }),
  ],
];

const envelopes: [typed: Typed, envelope: object][] = [
  ["defaults", { ok: true, message: "filled", size: 3 }],
  ["fallbacks", { ok: true, message: "filled", c: 1 }],
  [
    "transforms --text abc --other 1 --day 2020-01-01",
    { ok: true, message: "measured", length: 3, day: "2020-01-01T00:00:00.000Z" },
  ],
  ["zod3 --n 1 --text x", { ok: true, message: "three", size: 3 }],
  ["uncarried --n 1", { ok: true, message: "carried", n: 1 }],
  [
    "refined --from 2 --to 1",
    {
      ok: false,
      error: "input_validation_error",
      message: "the input was refused",
      detail: "to: to is before from",
      input_schema: input({ from: number, to: number }, ["from", "to"]),
      issues: [{ path: ["to"], code: "custom", message: "to is before from", flag: "--to" }],
    },
  ],
];

const directions = suite("the two sides of a schema");

for (const [name, way] of Object.entries(ways)) {
  directions(`are the same bytes, ${name}`, () => compare(way, rows, file));
  directions(`are what a call is held to, ${name}`, () =>
    compare(
      way,
      envelopes.map(([typed, envelope]): Row => [tokens(typed), printed(envelope)]),
      file,
    ),
  );
}
directions.run();
