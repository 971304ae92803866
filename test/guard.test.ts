import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { accept } from "../src/accept.ts";
import { guard } from "../src/guard.ts";
import { type Plain, plainOf } from "../src/plain.ts";
import { samplesOf } from "../src/samples.ts";
import { isAccepted } from "../src/scalars.ts";
import { root } from "./harness.ts";
import { answersElsewhere, cfa, folderWith, steady, told } from "./project.ts";

const guarding = suite("Zod is asked about what is plain");

const schemas: [what: string, schema: z.ZodType, taken: number][] = [
  ["a text", z.string(), 60],
  ["a text with a length", z.string().min(2).max(9), 30],
  ["a text that is rewritten", z.string().trim().min(1).toUpperCase(), 60],
  ["an address", z.email(), 2],
  ["a url", z.url(), 4],
  ["a uuid", z.uuid(), 2],
  ["a date in words", z.iso.date(), 1],
  ["a moment", z.iso.datetime({ offset: true }), 2],
  ["an IP address", z.ipv4(), 1],
  ["what begins and ends so", z.string().startsWith("a").endsWith("b"), 1],
  ["a number", z.number(), 12],
  ["a number with bounds", z.int().gt(3).lte(700), 4],
  ["a multiple", z.number().multipleOf(4).multipleOf(6), 2],
  ["a number of others", z.coerce.number(), 12],
  ["a date", z.coerce.date(), 12],
  ["a boolean", z.boolean(), 3],
  ["a choice", z.enum(["a", "b"]), 2],
  ["a list", z.array(z.int32()).min(2).max(4), 8],
  ["a tuple", z.tuple([z.string(), z.number()], z.null()), 12],
  ["a record", z.record(z.string(), z.number()), 12],
  ["a record of some", z.partialRecord(z.enum(["a", "b"]), z.boolean()), 3],
  ["a record of all", z.record(z.enum(["a", "b"]), z.boolean()), 3],
  ["a union", z.union([z.object({ k: z.literal(1), s: z.string() }), z.object({ k: z.literal(2) })]), 20],
  ["a default", z.object({ a: z.string().default("b"), c: z.number().prefault(2).nullable() }), 30],
  ["a pipe", z.string().pipe(z.string().max(2)).readonly(), 5],
  ["something deep", z.strictObject({ a: z.array(z.looseObject({ b: z.email().optional() })).nullish() }), 8],
];
for (const [what, schema, least] of schemas)
  guarding(`of ${what} enough is taken, and as it takes it`, async () => {
    const plain = plainOf(schema) as Plain;
    const taken = [...samplesOf(plain)].filter((sample) => isAccepted(accept(plain, structuredClone(sample))));
    assert.ok(taken.length >= least, `${taken.length} of ${[...samplesOf(plain)].length}`);
    assert.is(inspect([...samplesOf(plain)]), inspect([...samplesOf(plain)]));
    assert.is(await guard()(plain, schema), undefined);
  });

const lies: [what: string, known: z.ZodType, is: z.ZodType, sample: string][] = [
  ["a length", z.string().max(3), z.string().max(2), '"aaa"'],
  ["a bound", z.number().lte(7), z.number().lt(7), "7"],
  [
    "a rewriting deep inside",
    z.object({ a: z.array(z.string().trim()) }),
    z.object({ a: z.array(z.string()) }),
    '{"a":[" "]}',
  ],
  [
    "the order of keys",
    z.object({ a: z.string(), b: z.string() }),
    z.object({ b: z.string(), a: z.string() }),
    '{"a":"a","b":"a"}',
  ],
  ["a schema that throws", z.null(), z.custom(() => assert.unreachable("it throws")), "null"],
];
for (const [what, known, is, sample] of lies)
  guarding(`${what} that is another one is found`, async () =>
    assert.is(await guard()(plainOf(known) as Plain, is), sample),
  );

const source = `
import { l1Output, Tool } from "@code-first-agents/tool";
import { z } from "zod";
const tool = new Tool({ name: "sent", description: "Sends" });
tool.subcommand({
  name: "send",
  description: "Send it",
  input: z.object({ to: z.email(), text: z.string().trim() }),
  output: l1Output({ to: z.string(), text: z.string() }),
  handler: ({ to, text }) => ({ message: "sent", to, text }),
});
tool.subcommand({
  name: "count",
  description: "Count it",
  input: z.object({ n: z.int() }),
  output: l1Output({ n: z.number().max(9) }),
  handler: ({ n }) => ({ message: "counted", n }),
});
tool.run();
`;

/** What another Zod does otherwise, behind the name of a check. */
const bent: [check: string, from: string, to: string][] = [
  ["$ZodCheckLessThan", "payload.value <= def.value", "payload.value + 1 <= def.value"],
  ["$ZodCheckOverwrite", "def.tx(payload.value)", "def.tx(payload.value) + '!'"],
];

guarding("with a Zod that is another one a build warns, and the executable does what source does", async () => {
  const folder = folderWith({ "tool.ts": source });
  cpSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"), { recursive: true });
  const checks = join(folder, "node_modules/zod/v4/core/checks.js");
  let text = readFileSync(checks, "utf8");
  for (const [check, from, to] of bent) {
    const at = text.indexOf(from, text.indexOf(`export const ${check} `));
    assert.ok(at > 0, `${check} has no ${from}`);
    text = text.slice(0, at) + to + text.slice(at + from.length);
  }
  writeFileSync(checks, text);
  const ran = steady(await cfa(folder, ["build", "tool.ts"]));
  const warned = [
    ['{"to":"a@b.co","text":"a"}', "input", "send"],
    ['{"ok":true,"message":"a","n":9}', "output", "count"],
  ].map(
    ([sample, side, name]) =>
      `cfa: warning: the Zod of this project takes ${sample} as ${side} of "${name}" otherwise than cfa knows Zod: its calls load Zod\n`,
  );
  assert.equal(ran, told("./tool", warned.join("")));
  await answersElsewhere(folder, [
    [["send", "--to", "a@b.co", "--text", " hi "], '{"ok":true,"message":"sent","to":"a@b.co","text":"hi!"}'],
    [["count", "--n", "8"], '{"ok":true,"message":"counted","n":8}'],
    [
      ["count", "--n", "9"],
      '{"ok":false,"error":"schema_violation","message":"the handler\'s output breaks its schema","detail":"n: Too big: expected number to be <=9","issues":[{"path":["n"],"code":"too_big","message":"Too big: expected number to be <=9"}]}',
    ],
  ]);
});

guarding.run();
