import { join } from "node:path";
import { type BuildError, schema } from "@code-first-agents/tool/build";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run } from "./harness.ts";
import { cfa, folderWith, shown, stateOf, steady, stepsTo, told } from "./project.ts";

const moment = suite("schemas that depend on the moment or the machine");

const toolWith = (field: string, { description = '"d"', head = "", output = "{}" } = {}) => `
import { homedir, hostname, userInfo } from "node:os";
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

moment.run();
