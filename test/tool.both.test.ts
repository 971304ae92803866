import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import * as z3 from "zod/v3";
import { l1Output, l2Output, l3Output, Tool, ToolError } from "../src/index.ts";

const tools = suite("Tool");
const input = z.object({}).strict();
const handler = () => ({ message: "done" });
const meta = { name: "t", description: "A tool" };
const plain = { name: "run", description: "Run", input, output: l1Output({}), handler };

// what TypeScript refuses too, as JavaScript would pass it
const register = (spec: object) => () => new Tool(meta).subcommand({ ...plain, ...spec } as typeof plain);
const shape = (method: "dataSubcommand" | "procedureSubcommand" | "classificationSubcommand", output: object) => () =>
  (new Tool(meta)[method] as (spec: object) => Tool)({ ...plain, output });

const compose =
  (make: unknown, ...args: unknown[]) =>
  () =>
    (make as (...args: unknown[]) => unknown)(...args);

const refused: [what: string, act: () => unknown, kind: ErrorConstructor, message: string | RegExp][] = [
  ["the name schema", register({ name: "schema" }), RangeError, 'the name "schema" is reserved for a builtin'],
  ["the name help", register({ name: "help" }), RangeError, 'the name "help" is reserved for a builtin'],
  ...["", "-x", "--x", "a b", "a\tb", "a\u0000", "\u0085"].map(
    (name): [string, () => unknown, ErrorConstructor, RegExp] => [
      `the name ${JSON.stringify(name)}`,
      register({ name }),
      RangeError,
      /^no command line can call "/,
    ],
  ),
  ["no name", register({ name: undefined }), TypeError, "a subcommand needs a name, not undefined"],
  ["no input", register({ input: undefined }), TypeError, 'the subcommand "run" needs a Zod schema as its input'],
  ["an input that is a shape", register({ input: { a: z.string() } }), TypeError, /needs a Zod schema as its input/],
  ["no output", register({ output: undefined }), TypeError, 'the subcommand "run" needs a Zod schema as its output'],
  ["no handler", register({ handler: undefined }), TypeError, 'the subcommand "run" needs a handler'],
  ["a revoked proxy", register({ input: revoked() }), TypeError, /needs a Zod schema as its input/],
  [
    "a name twice",
    () => new Tool(meta).subcommand(plain).subcommand(plain),
    RangeError,
    'there are two subcommands "run"',
  ],
  [
    "ok and message in a data shape",
    shape("dataSubcommand", { message: z.string(), x: z.string(), ok: z.boolean() }),
    RangeError,
    "the envelope's own keys cannot be declared again: ok, message",
  ],
  [
    "instructions in a procedure",
    shape("procedureSubcommand", { instructions: z.string() }),
    RangeError,
    /again: instructions$/,
  ],
  [
    "no classification",
    shape("classificationSubcommand", { x: z.string() }),
    TypeError,
    /field "classification" is no Zod 4 schema/,
  ],
  ["a field that is no schema", shape("dataSubcommand", { x: "string" }), TypeError, /field "x" is no Zod 4 schema/],
  [
    "a zod/v3 field in a shape",
    shape("dataSubcommand", { x: z3.z.string() }),
    TypeError,
    /field "x" is no Zod 4 schema/,
  ],
  ["l1Output with ok", compose(l1Output, { ok: z.boolean() }), RangeError, /again: ok$/],
  [
    "l2Output with classification",
    compose(l2Output, z.enum(["a"]), { classification: z.string() }),
    RangeError,
    /again: classification$/,
  ],
  [
    "l3Output with both",
    compose(l3Output, { instructions: z.string(), message: z.string() }),
    RangeError,
    /message, instructions$/,
  ],
];
for (const [what, act, kind, message] of refused) {
  tools(`refuses ${what}`, () => {
    try {
      act();
    } catch (error) {
      assert.instance(error, kind);
      const text = (error as Error).message;
      if (typeof message === "string") assert.is(text, message);
      else assert.match(text, message);
      return;
    }
    assert.unreachable("nothing was refused");
  });
}

const tool = new Tool({ ...meta, version: "1.2.3" })
  .subcommand({
    ...plain,
    name: "whole",
    output: z.object({ n: z.number() }),
    handler: () => ({ n: 1, message: "done" }),
  })
  .dataSubcommand({
    name: "data",
    description: "Data",
    input: z.object({ n: z.number().default(2) }).strict(),
    output: { b: z.number(), a: z.date(), none: z.string().optional() },
    handler: ({ n }) => ({ a: new Date(0), message: "data", b: n, none: undefined, extra: true }),
  })
  .classificationSubcommand({
    name: "level",
    description: "A level",
    input,
    output: { more: z.string(), classification: z.enum(["high", "low"]) },
    handler: async () => ({ more: "x", classification: "low", message: "low" }),
  })
  .procedureSubcommand({
    name: "steps",
    description: "Steps",
    input,
    handler: () => ({ message: "m", instructions: "1." }),
  })
  .subcommand({
    ...plain,
    name: "old",
    input: z3.z.object({ d: z3.z.string().default("x") }),
    output: z3.z.object({ d: z3.z.string() }).passthrough(),
    handler: ({ d }) => ({ message: "old", d }),
  })
  .subcommand({
    ...plain,
    name: "slow",
    input: z.object({ s: z.string().refine(async (s) => s !== "bad", "is bad") }),
    output: l1Output({ s: z.string().transform(async (s) => `${s}!`), t: z.string() }),
    handler: ({ s }) => ({ message: "slow", s, t: "t" }),
  })
  .subcommand({
    ...plain,
    name: "domain",
    handler: () => {
      throw new ToolError("gone", "it is gone", { at: 1 });
    },
  })
  .subcommand({
    ...plain,
    name: "bare",
    handler: () => {
      throw new ToolError("gone", "it is gone");
    },
  })
  .subcommand({
    ...plain,
    name: "wrong",
    output: l1Output({ n: z.number() }),
    handler: () => ({ message: "m", n: Number.NaN }),
  });

const invoked: [name: string, input: unknown, envelope: object][] = [
  ["whole", {}, { ok: true, message: "done", n: 1 }],
  ["data", {}, { ok: true, message: "data", b: 2, a: "1970-01-01T00:00:00.000Z" }],
  ["level", {}, { ok: true, message: "low", classification: "low", more: "x" }],
  ["steps", {}, { ok: true, message: "m", instructions: "1." }],
  ["old", {}, { ok: true, message: "old", d: "x" }],
  ["slow", { s: "a" }, { ok: true, message: "slow", s: "a!", t: "t" }],
  ["domain", {}, { ok: false, error: "gone", message: "it is gone", detail: { at: 1 } }],
  ["bare", {}, { ok: false, error: "gone", message: "it is gone" }],
  [
    "wrong",
    {},
    {
      ok: false,
      error: "schema_violation",
      message: "the handler's output breaks its schema",
      detail: "n: Invalid input: expected number, received NaN",
      issues: [{ path: ["n"], code: "invalid_type", message: "Invalid input: expected number, received NaN" }],
    },
  ],
  ["version", {}, { ok: true, message: "t 1.2.3", name: "t", version: "1.2.3" }],
];
for (const [name, given, envelope] of invoked) {
  // by its text, which also holds the order of the keys
  tools(`invokes ${name}`, async () =>
    assert.is(JSON.stringify(await tool.invoke(name, given)), JSON.stringify(envelope)),
  );
}

tools("never reads text when it is invoked", async () => {
  const envelope = await tool.invoke("data", { n: "2" });
  assert.is(envelope.ok, false);
  if (envelope.ok || envelope.error !== "input_validation_error") return;
  assert.equal(envelope.issues, [
    { path: ["n"], code: "invalid_type", message: "Invalid input: expected number, received string" },
  ]);
});

tools("waits for what an input schema asks", async () => {
  const envelope = await tool.invoke("slow", { s: "bad" });
  assert.is(!envelope.ok && envelope.error, "input_validation_error");
});

tools("focuses schema and help, whatever stands in the input", async () => {
  for (const odd of [
    { _: 5 },
    { _: "data" },
    null,
    7,
    {
      get _() {
        throw new Error("no");
      },
    },
  ])
    assert.type((await tool.invoke("schema", odd)).ok, "boolean");
  const envelope = await tool.invoke("help", { _: ["steps"] });
  assert.equal(envelope.ok && (envelope["subcommands"] as { name: string }[]).map(({ name }) => name), ["steps"]);
});

tools("answers an unknown name with all that there is", async () => {
  const envelope = await tool.invoke("dat");
  if (envelope.ok || envelope.error !== "unknown_subcommand") return assert.unreachable();
  assert.equal(Object.keys(envelope), ["ok", "error", "message", "subcommands", "did_you_mean"]);
  assert.equal(envelope.did_you_mean, ["data"]);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

tools.run();
