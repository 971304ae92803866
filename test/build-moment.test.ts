import { join } from "node:path";
import { type BuildError, schema } from "@code-first-agents/tool/build";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { changingReads } from "../build/evaluate/reasons.ts";
import type { Plan } from "../build/plan.ts";
import { run } from "./harness.ts";
import { bothOf } from "./likeness.ts";
import { cfa, folderWith, shown, stateOf, steady, stepsTo, told } from "./project.ts";

const moment = suite("schemas that depend on the moment or the machine");

const toolWith = (field: string, { description = '"d"', head = "", output = "{}" } = {}) => `
import { existsSync } from "node:fs";
import os, { homedir, hostname, userInfo } from "node:os";
import { resolve } from "node:path";
import { Tool } from "@code-first-agents/tool";
import { z } from "zod";
${head}
const tool = new Tool({ name: "t", description: "d" });
tool.dataSubcommand({
  name: "show",
  description: ${description},
  input: z.object({ value: ${field} }),
  output: { value: z.any(), ...${output} },
  handler: ({ value }) => ({ message: "shown", value }),
});
tool.run();
`;

/** With one subcommand more, on a condition. */
const more = (condition: string) =>
  toolWith("z.any()").replace(
    "tool.run();",
    `if (${condition}) tool.dataSubcommand({ name: 'more', description: 'd', input: z.any(), output: {}, handler: () => ({ message: '' }) });\ntool.run();`,
  );

const input = (path: string) => `the input of "show" at properties.value.${path}`;

const refused: [what: string, difference: string, source: string][] = [
  ["a default of now", input("default"), toolWith("z.string().default(new Date().toISOString())")],
  ["a default that is asked for now", input("default"), toolWith("z.string().default(() => Date())")],
  ["a limit of this year", input("maximum"), toolWith("z.number().max(new Date(Date.now()).getFullYear())")],
  ["a time zone", input("default"), toolWith("z.string().default(new Date(0).toLocaleString())")],
  ["a count", input("default"), toolWith("z.number().default(() => ++count)", { head: "let count = 0;" })],
  ["chance", input("default"), toolWith("z.number().default(Math.random())")],
  ["a variable", input("enum.0"), toolWith('z.enum([process.env.LEVEL ?? "low"])')],
  ["a variable that is there", input("default"), toolWith("z.string().default(process.env.HOME ?? '')")],
  ["a variable by Bun's name", input("default"), toolWith('z.string().default(Bun.env.LEVEL ?? "low")')],
  ["a variable by the module's", input("description"), toolWith('z.string().describe(import.meta.env.LEVEL ?? "low")')],
  ["whether there is a variable", input("default"), toolWith('z.boolean().default("LEVEL" in process.env)')],
  ["the working directory", input("default"), toolWith("z.string().default(process.cwd())")],
  ["a path from there", input("default"), toolWith('z.string().default(resolve("a"))')],
  ["the folder of the tool", input("default"), toolWith("z.string().default(import.meta.dirname)")],
  ["the name of the machine", input("default"), toolWith("z.string().default(hostname())")],
  ["the user", input("default"), toolWith("z.string().default(userInfo().username)")],
  ["the home", input("default"), toolWith("z.string().default(homedir())")],
  [
    "a variable that is read as a number, with others",
    input("default"),
    toolWith("z.number().default(env.PORT)", {
      head: "const env = z.object({ PORT: z.coerce.number().default(3000), HOST: z.string().optional() }).parse(process.env);",
    }),
  ],
  [
    "a variable that is read as a word",
    input("default"),
    toolWith("z.string().default(env.LEVEL)", {
      head: "const env = z.object({ LEVEL: z.string().regex(/^[a-z]+$/).default('low') }).parse(process.env);",
    }),
  ],
  [
    "a variable that is turned on",
    input("default"),
    toolWith("z.boolean().default(env.ON === 'true')", {
      head: "const env = z.object({ ON: z.enum(['true', 'false']).default('false') }).parse(process.env);",
    }),
  ],
  ["the processors", input("default"), toolWith("z.number().default(os.cpus().length)")],
  ["what may run at once", input("maximum"), toolWith("z.number().max(os.availableParallelism())")],
  ["what the navigator says of them", input("default"), toolWith("z.number().default(navigator.hardwareConcurrency)")],
  ["the memory", input("default"), toolWith("z.number().default(os.totalmem())")],
  ["the system", input("default"), toolWith("z.string().default(os.release())")],
  ["the networks", input("enum.0"), toolWith("z.enum(['none', ...Object.keys(os.networkInterfaces())].reverse())")],
  ["the user's number", input("default"), toolWith("z.number().default(process.getuid?.() ?? 0)")],
  ["the place of the engine", input("default"), toolWith("z.string().default(process.execPath)")],
  ["a file that is there", input("default"), toolWith('z.boolean().default(existsSync("/etc/passwd"))')],
  ["a description", 'the description of "show"', toolWith("z.any()", { description: "new Date().toISOString()" })],
  [
    "an output",
    'the output of "show" at properties.at.const',
    toolWith("z.any()", { output: "{ at: z.literal(Date.now()) }" }),
  ],
  ["the name of the tool", "the name of the tool", toolWith("z.any()").replace('name: "t"', "name: hostname()")],
];
for (const [what, difference, source] of refused) {
  moment(`are refused: ${what}`, async () => {
    const folder = folderWith({ "tool.ts": source });
    const refused = schema({ entry: join(folder, "tool.ts") }).catch((error: BuildError) => error.message);
    assert.is(await refused, `${difference} depends on the moment or the machine`);
  });
}

moment("are refused with what to do, before anything is made", async () => {
  const folder = folderWith({ "tool.ts": toolWith("z.string().default(() => new Date().toISOString())") });
  assert.equal(await cfa(folder, ["build", "tool.ts"]), {
    stdout: "",
    stderr: `${stepsTo("evaluate")}cfa: ${input("default")} depends on the moment or the machine
  the executable would stay with what it is now: leave it out of the schema and work it out in the handler
`,
    code: 1,
  });
  assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
});

const taken: [what: string, source: string][] = [
  [
    "a moment that is fixed",
    toolWith("z.any()", { output: '{ at: z.literal(new Date("2026-01-01").getTime()).optional() }' }),
  ],
  ["what does not show", toolWith("z.any()", { head: "const started = Date.now(); const user = process.env.USER;" })],
  [
    "a tool that only loads where no variable is set",
    toolWith("z.any()", { head: 'if (process.env.LEVEL) throw new Error("LEVEL is set");' }),
  ],
  [
    "a tool that only loads in its own time",
    toolWith("z.any()", { head: 'if (new Date().getFullYear() > 2027) throw new Error("old");' }),
  ],
];
for (const [what, source] of taken) {
  moment(`are not: ${what}`, async () => {
    const folder = folderWith({ "tool.ts": source });
    assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./tool"));
    const answer = { stdout: `${shown("now")}\n`, stderr: "", code: 0 };
    assert.equal(await run(`${folder}/tool`, ["show", "--value", "now"]), answer);
  });
}

/** What no other environment shows is not frozen either. */
const live: [what: string, source: string, env: Record<string, string>][] = [
  [
    "the names of variables",
    toolWith("z.enum(['none', ...Object.keys(process.env).filter((name) => name.startsWith('DEPLOY_'))])"),
    { DEPLOY_A: "1" },
  ],
  [
    "a copy of the variables",
    toolWith("z.string().default(copy.DEPLOY_A ?? 'none')", {
      head: "const copy = { ...process.env };",
    }),
    { DEPLOY_A: "1" },
  ],
  [
    "variables one by one",
    toolWith("z.object(shape)", {
      head: "const shape: Record<string, z.ZodType> = {};\nfor (const name in process.env) if (name.startsWith('DEPLOY_')) shape[name] = z.number();",
    }),
    { DEPLOY_A: "1" },
  ],
  [
    "a variable that has few values",
    toolWith("z.string().default(env.STAGE)", {
      head: "const env = z.object({ STAGE: z.enum(['dev', 'prod']).default('dev') }).parse(process.env);",
    }),
    { STAGE: "prod" },
  ],
  ["a list of subcommands", more("process.env.MORE"), { MORE: "1" }],
  ["a list of subcommands by a number", more("Number(process.env.LEVEL) === 7"), { LEVEL: "7" }],
];
for (const [what, source, env] of live) {
  moment(`are made at run time: ${what}`, async () => {
    const { ask } = await bothOf(source);
    const usual = await ask(["schema"]);
    const other = await ask(["schema"], { env });
    assert.equal(usual.built, usual.source);
    assert.equal(other.built, other.source);
    assert.is.not(other.built.stdout, usual.built.stdout);
  });
}

moment("are made at run time where a target is another platform", () => {
  const read = { what: "process.platform", platform: true, stack: "" };
  const [host, musl, windows] = ["linux-x64", "linux-x64-musl", "windows-x64"].map((name) => ({ name }));
  const readsOf = (...targets: unknown[]) =>
    changingReads([read], { host, products: targets.map((target) => ({ target })) } as unknown as Plan);
  assert.equal([readsOf(host), readsOf(musl), readsOf(host, windows)], [[], [], [read]]);
});

moment.run();
