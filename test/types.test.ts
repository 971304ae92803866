import {
  classificationTypeOutput,
  dataTypeOutput,
  type ErrorEnvelope,
  type HandlerReturn,
  l1Output,
  l2Output,
  l3Output,
  procedureTypeOutput,
  Tool,
  ToolError,
  type ToolOutput,
} from "@code-first-agents/tool";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";

// The compiler is the test: `held` holds what is never called, and each error that is expected must be one.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>() => {};
const is =
  <T>() =>
  <G>(_given: G, ..._same: Same<G, T> extends true ? [] : [never]) =>
    "m";

const level = z.enum(["info", "debug"]);
const input = z.object({ n: z.coerce.number(), level: level.default("info"), s: z.string().optional() }).strict();
type Input = { n: number; level: "info" | "debug"; s?: string | undefined };
const base = { name: "a", description: "A", input };
const m = "message";

export const held = {
  "what a handler gets is what the input schema gives"(tool: Tool) {
    tool.subcommand({
      ...base,
      output: l1Output({}),
      handler: (given) => ({ message: is<Input>()(given) }),
    });
    tool.dataSubcommand({
      ...base,
      output: {},
      handler: (given) => ({ message: is<Input>()(given) }),
    });
    tool.classificationSubcommand({
      ...base,
      output: { classification: level },
      handler: (given) => ({ message: is<Input>()(given), classification: given.level }),
    });
    tool.procedureSubcommand({
      ...base,
      handler: (given) => ({ message: is<Input>()(given), instructions: "i" }),
    });
    // @ts-expect-error the input has no such key
    tool.dataSubcommand({ ...base, output: {}, handler: ({ missing }) => ({ message: missing }) });
    // @ts-expect-error what may be undefined is no string
    tool.dataSubcommand({ ...base, output: {}, handler: ({ s }) => ({ message: s }) });
  },

  "what a handler returns is what the output schema takes"(tool: Tool) {
    const output = { n: z.number(), list: z.array(z.string()).optional(), at: z.date().optional() };
    tool.dataSubcommand({ ...base, output, handler: () => ({ message: m, n: 1 }) });
    tool.dataSubcommand({ ...base, output, handler: async () => ({ message: m, n: 1, list: ["a"], at: new Date() }) });
    // @ts-expect-error the message is missing
    tool.dataSubcommand({ ...base, output, handler: () => ({ n: 1 }) });
    // @ts-expect-error a field is missing
    tool.dataSubcommand({ ...base, output, handler: () => ({ message: m }) });
    // @ts-expect-error a field is missing, later
    tool.dataSubcommand({ ...base, output, handler: async () => ({ message: m }) });
    // @ts-expect-error a field has another type
    tool.dataSubcommand({ ...base, output, handler: () => ({ message: m, n: "1" }) });
    // @ts-expect-error nothing is returned
    tool.dataSubcommand({ ...base, output, handler: () => {} });
    // @ts-expect-error there is no handler
    tool.dataSubcommand({ ...base, output });
    // @ts-expect-error there is no output
    tool.dataSubcommand({ ...base, handler: () => ({ message: m }) });
    // @ts-expect-error there is no input
    tool.dataSubcommand({ name: "a", description: "A", output: {}, handler: () => ({ message: m }) });
  },

  "a transform takes what the handler returns"(tool: Tool) {
    const output = { n: z.string().transform(Number), d: z.number().default(1) };
    tool.dataSubcommand({ ...base, output, handler: () => ({ message: m, n: "1" }) });
    // @ts-expect-error it takes a string, and gives a number
    tool.dataSubcommand({ ...base, output, handler: () => ({ message: m, n: 1 }) });
    const bare = z.object({ message: z.string(), n: z.number() }).transform(({ n }) => ({ n }));
    tool.subcommand({ ...base, output: bare, handler: () => ({ message: m, n: 1 }) });
    holds<Same<HandlerReturn<typeof bare>["n"], number>>();
  },

  "a classification is given, and is one of the schema's"(tool: Tool) {
    const output = { classification: z.enum(["small", "large"]) };
    tool.classificationSubcommand({
      ...base,
      output,
      handler: ({ n }) => ({ message: m, classification: n > 9 ? "large" : "small" }),
    });
    tool.classificationSubcommand({
      ...base,
      output,
      handler: async ({ n }) => {
        const classification = n > 9 ? "large" : "small";
        return { message: m, classification };
      },
    });
    // @ts-expect-error it is missing from the shape
    tool.classificationSubcommand({ ...base, output: {}, handler: () => ({ message: m }) });
    // @ts-expect-error it is missing from what is returned
    tool.classificationSubcommand({ ...base, output, handler: () => ({ message: m }) });
    // @ts-expect-error the schema does not know it
    tool.classificationSubcommand({ ...base, output, handler: () => ({ message: m, classification: "huge" }) });
    // @ts-expect-error a schema, not its values
    l2Output(["small", "large"]);
  },

  "instructions are given"(tool: Tool) {
    tool.procedureSubcommand({ ...base, handler: () => ({ message: m, instructions: "i" }) });
    const output = { topic: z.string() };
    tool.procedureSubcommand({ ...base, output, handler: () => ({ message: m, instructions: "i", topic: "t" }) });
    // @ts-expect-error they are missing
    tool.procedureSubcommand({ ...base, handler: () => ({ message: m }) });
    // @ts-expect-error they are missing beside a field
    tool.procedureSubcommand({ ...base, output, handler: () => ({ message: m, topic: "t" }) });
    // @ts-expect-error they are text
    tool.procedureSubcommand({ ...base, handler: () => ({ message: m, instructions: ["i"] }) });
  },

  "the keys of the envelope cannot be declared again"(tool: Tool) {
    const handler = () => ({ message: m, instructions: "i", classification: "c" });
    const s = z.string();
    // @ts-expect-error ok is the envelope's
    tool.dataSubcommand({ ...base, output: { ok: s }, handler });
    // @ts-expect-error message is the envelope's
    tool.dataSubcommand({ ...base, output: { message: s }, handler });
    // @ts-expect-error ok is the envelope's
    tool.classificationSubcommand({ ...base, output: { classification: s, ok: s }, handler });
    // @ts-expect-error message is the envelope's
    tool.classificationSubcommand({ ...base, output: { classification: s, message: s }, handler });
    // @ts-expect-error ok is the envelope's
    tool.procedureSubcommand({ ...base, output: { ok: s }, handler });
    // @ts-expect-error message is the envelope's
    tool.procedureSubcommand({ ...base, output: { message: s }, handler });
    // @ts-expect-error instructions are the procedure's
    tool.procedureSubcommand({ ...base, output: { instructions: s }, handler });
    // @ts-expect-error ok is the envelope's
    l1Output({ ok: s });
    // @ts-expect-error message is the envelope's
    dataTypeOutput({ message: s });
    // @ts-expect-error ok is the envelope's
    l2Output(s, { ok: s });
    // @ts-expect-error message is the envelope's
    classificationTypeOutput(s, { message: s });
    // @ts-expect-error the classification is the first argument
    l2Output(s, { classification: s });
    // @ts-expect-error ok is the envelope's
    l3Output({ ok: s });
    // @ts-expect-error message is the envelope's
    procedureTypeOutput({ message: s });
    // @ts-expect-error instructions are the procedure's
    l3Output({ instructions: s });
  },

  "the outputs are whole schemas"() {
    const data = l1Output({ n: z.number() });
    holds<Same<z.output<typeof data>, { ok: true; message: string; n: number }>>();
    const classified = l2Output(z.enum(["a", "b"]), { n: z.number() });
    holds<Same<z.output<typeof classified>, { ok: true; message: string; classification: "a" | "b"; n: number }>>();
    const procedure = l3Output();
    holds<Same<z.output<typeof procedure>, { ok: true; message: string; instructions: string }>>();
  },

  "schemas of zod/v3 and zod/mini are schemas"(tool: Tool) {
    const old = z3.object({ n: z3.number().default(1), s: z3.string().transform((s) => s.length) });
    const small = mini.object({ n: mini._default(mini.number(), 1) });
    const words = { name: "a", description: "A" };
    tool.dataSubcommand({
      ...words,
      input: old,
      output: {},
      handler: (given) => ({ message: is<{ n: number; s: number }>()(given) }),
    });
    tool.dataSubcommand({
      ...words,
      input: small,
      output: { n: mini.number() },
      handler: (given) => ({ message: is<{ n: number }>()(given), n: 1 }),
    });
    const output = z3.object({ ok: z3.literal(true), message: z3.string(), n: z3.number() });
    tool.subcommand({ ...base, output, handler: () => ({ message: m, n: 1 }) });
    // @ts-expect-error a field is missing
    tool.subcommand({ ...base, output, handler: () => ({ message: m }) });
    // @ts-expect-error a shape holds schemas of Zod 4
    tool.dataSubcommand({ ...base, output: { n: z3.number() }, handler: () => ({ message: m, n: 1 }) });
    // @ts-expect-error a shape is no schema
    tool.subcommand({ ...words, input: { n: z.number() }, output: l1Output({}), handler: () => ({ message: m }) });
  },

  "registering can go on, and its names are checked"(tool: Tool) {
    const handler = () => ({ message: m, classification: "c", instructions: "i" });
    const again: Tool = tool
      .subcommand({ ...base, output: l1Output({}), handler })
      .dataSubcommand({ ...base, output: {}, handler })
      .classificationSubcommand({ ...base, output: { classification: z.string() }, handler })
      .procedureSubcommand({ ...base, handler });
    // @ts-expect-error a tool is described
    new Tool({ name: "a" });
    new ToolError("code", "message", { any: ["object"] });
    // @ts-expect-error a detail is text or an object
    new ToolError("code", "message", 5);
    return again;
  },

  async "what invoke gives narrows"(tool: Tool) {
    const envelope = await tool.invoke("a", { n: 1 });
    holds<Same<typeof envelope, ToolOutput | ErrorEnvelope>>();
    if (envelope.ok) return holds<Same<typeof envelope, ToolOutput>>();
    // @ts-expect-error only some errors list subcommands
    envelope.subcommands.length;
    if (envelope.error === "unknown_subcommand" && envelope.subcommands) return envelope.subcommands[0]?.input_schema;
    if (envelope.error === "input_validation_error" && envelope.issues) return envelope.issues[0]?.flag?.length;
    return "detail" in envelope ? envelope.detail : undefined;
  },
};

const types = suite("types");

const s = z.string();
const handler = () => ({ message: m, classification: "c", instructions: "i" });

/** What the compiler refuses is refused where there is none. */
const refused: [what: string, register: (tool: Tool) => unknown, message: string][] = [
  ["data", (tool) => tool.dataSubcommand({ ...base, output: { ok: s, message: s } as {}, handler }), "ok, message"],
  ["l1Output", () => l1Output({ message: s } as {}), "message"],
  [
    "a classification",
    (tool) => tool.classificationSubcommand({ ...base, output: { classification: s, ...({ ok: s } as {}) }, handler }),
    "ok",
  ],
  ["l2Output", () => l2Output(s, { classification: s, ok: s } as {}), "ok, classification"],
  [
    "a procedure",
    (tool) => tool.procedureSubcommand({ ...base, output: { instructions: s } as {}, handler }),
    "instructions",
  ],
  ["l3Output", () => l3Output({ instructions: s, message: s, ok: s } as {}), "ok, message, instructions"],
];

for (const [what, register, keys] of refused) {
  types(`${what} cannot declare ${keys}`, () => {
    const tool = new Tool({ name: "t", description: "T" });
    assert.throws(
      () => register(tool),
      (error: unknown) =>
        error instanceof RangeError && error.message === `the envelope's own keys cannot be declared again: ${keys}`,
    );
  });
}

types.run();
