import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root, temporary } from "./harness.ts";
import { observationOf } from "./sealed.ts";

const watching = suite("what a tool is seen to read");
const folder = temporary(join(root, "dist/test"));

/** The expression is in the tool's file, below the imports. */
async function readsOf(source: string, imports = ""): Promise<string[]> {
  const file = join(folder, "tool.ts");
  writeFileSync(
    file,
    `${imports}
import { Tool } from "@code-first-agents/tool";
import { z } from "zod";
const tool = new Tool({ name: "t", description: "d" });
export const value = ${source};
tool.dataSubcommand({ name: "a", description: "d", input: z.object({}), output: {}, handler: () => ({ message: "" + process.env.HANDLED }) });
tool.run();`,
  );
  return (await observationOf(file)).reads.map(({ what }) => what);
}

/** What is read first: the engine may read more for it. */
type Row = [source: string, read: string, imports?: string];

const ENV = "process.env";
const LEVEL = "process.env.LEVEL";
const process_ = (what: string): Row[] => [
  [`process.${what}`, `process.${what.replace("()", "")}`],
  [`proc.${what}`, `process.${what.replace("()", "")}`, 'import proc from "node:process";'],
];
const of = (module: string, call: string, what = `${module}.${call.replace(/\(.*$/s, "")}`): Row => {
  const [name = ""] = call.split("(");
  return [call, what, `import { ${name} } from "node:${module}";`];
};

const environment: Row[] = [
  ["process.env.LEVEL", LEVEL],
  ["process.env['LEVEL'] ?? 'low'", LEVEL],
  ["(({ LEVEL }) => LEVEL)(process.env)", LEVEL],
  ["env.LEVEL", LEVEL, 'import { env } from "node:process";'],
  ["env.LEVEL", LEVEL, 'import { env } from "process";'],
  ["proc.env.LEVEL", LEVEL, 'import proc from "node:process";'],
  ["proc.env.LEVEL", LEVEL, 'import * as proc from "node:process";'],
  ["require('process').env.LEVEL", LEVEL],
  ["globalThis.process.env.LEVEL", LEVEL],
  ["Bun.env.LEVEL", LEVEL],
  ["env.LEVEL", LEVEL, 'import { env } from "bun";'],
  ["(({ env }) => env.LEVEL)(Bun)", LEVEL],
  ["import.meta.env.LEVEL", LEVEL],
  ['"LEVEL" in process.env', LEVEL],
  ['"LEVEL" in Bun.env', LEVEL],
  ['Object.hasOwn(process.env, "LEVEL")', LEVEL],
  ['process.env.hasOwnProperty("LEVEL")', LEVEL],
  ['Reflect.get(process.env, "LEVEL")', LEVEL],
  ["Object.keys(process.env).filter((name) => name.startsWith('DEPLOY_'))", ENV],
  ["Object.entries(process.env).length", ENV],
  ["JSON.stringify({ ...process.env }).length", ENV],
  ["(() => { for (const name in process.env) if (name === 'DEPLOY_') return true; return false; })()", ENV],
  ["(() => { for (const name in Bun.env) if (name === 'DEPLOY_') return true; return false; })()", ENV],
  ["Object.assign({}, process.env).LEVEL", ENV],
  ["z.object({ PORT: z.coerce.number().default(3000) }).parse(process.env).PORT", "process.env.PORT"],
  ["z.object({ HOME: z.string() }).parse(process.env).HOME", "process.env.HOME"],
  ["process.env.TZ", "process.env.TZ"],
];

const words: Row[] = [
  "process.argv[2]",
  "process.argv.length",
  "process.argv.includes('--debug')",
  "process.argv.filter(Boolean)",
  "[...process.argv]",
  "process.argv.slice(1)",
  "process.argv.slice(2)[0]",
  "process.argv.slice(2).length",
  "process.argv.slice(2, 3)",
  "process.argv.at(-1)",
  "String(process.argv)",
  "JSON.stringify(process.argv)",
  "(([, , word]) => word)(process.argv)",
  "(({ argv: { 2: word } }) => word)(process)",
  "Bun.argv[2]",
  "process.argv.splice(2, 1)",
  "2 in process.argv",
].map((source) => [source, "process.argv"]);

const machine: Row[] = [
  ...["availableParallelism", "cpus", "freemem", "homedir", "hostname", "loadavg", "networkInterfaces"].map((name) =>
    of("os", `${name}()`),
  ),
  ...["release", "totalmem", "uptime", "userInfo", "version"].map((name) => of("os", `${name}()`)),
  of("os", "tmpdir()", "process.env.TMPDIR"),
  ["os.cpus().length", "os.cpus", 'import os from "node:os";'],
  ["os.cpus().length", "os.cpus", 'import * as os from "os";'],
  ["require('os').totalmem()", "os.totalmem"],
  of("fs", 'existsSync("/etc/os-release")'),
  of("fs", 'readFileSync("/etc/hostname", "utf8")'),
  of("fs", 'readdirSync("/etc")'),
  of("fs", 'statSync("/etc")'),
  ['await readFile("/etc/passwd")', "fs.promises.readFile", 'import { readFile } from "node:fs/promises";'],
  ['await Bun.file("/etc/passwd").exists()', "Bun.file"],
  of("child_process", 'execSync("echo")', "child_process.execSync"),
  ['Bun.spawnSync(["echo"]).exitCode', "Bun.spawnSync"],
  ['Bun.which("sh")', "Bun.which"],
  ["navigator.hardwareConcurrency", "navigator.hardwareConcurrency"],
  ["Intl.DateTimeFormat().resolvedOptions().timeZone", "Intl.DateTimeFormat.resolvedOptions"],
  ...["cwd()", "getuid()", "getgid()", "uptime()", "hrtime()", "memoryUsage()", "pid", "ppid", "execPath"].flatMap(
    process_,
  ),
  ["process.hrtime.bigint()", "process.hrtime.bigint"],
];

const platform: Row[] = [
  ...["platform", "arch"].flatMap(process_),
  of("os", "platform()"),
  of("os", "arch()"),
  of("os", "type()"),
  ["os.EOL", "os.EOL", 'import os from "node:os";'],
];

const moment: Row[] = [
  ["new Date().getFullYear()", "new Date"],
  ["Date()", "Date"],
  ["Date.now()", "Date.now"],
  ["((now) => now())(Date.now)", "Date.now"],
  ["performance.now()", "performance.now"],
  ["Bun.nanoseconds()", "Bun.nanoseconds"],
  ["Temporal.Now.instant()", "Temporal.Now.instant"],
  ["Math.random()", "Math.random"],
  ["crypto.randomUUID()", "crypto.randomUUID"],
  ["crypto.getRandomValues(new Uint8Array(1))", "crypto.getRandomValues"],
  of("crypto", "randomUUID()"),
  of("crypto", "randomBytes(2)"),
  of("crypto", "randomInt(9)"),
];

const nothing: string[] = [
  "process.argv[0]",
  "process.argv[1] === import.meta.path",
  "process.argv.slice(2)",
  "Bun.argv.slice(2)",
  "process.version",
  "process.stdin",
  "process.stdout.isTTY",
  "new Date(0).getTime()",
  "new Date('2026-01-01')",
  "Date.UTC(2026, 1)",
  "process.env",
  "process.argv",
  "(process.env.LEVEL = '1', process.env.LEVEL)",
  "structuredClone(new Date(0)) instanceof Date",
  "z.date().safeParse(new Date(0)).success",
];

for (const [source, read, imports = ""] of [...environment, ...words, ...machine, ...platform, ...moment])
  watching(`is seen: ${source} ${imports}`, async () => assert.is((await readsOf(source, imports))[0], read));

for (const source of nothing) watching(`is nothing: ${source}`, async () => assert.equal(await readsOf(source), []));

const engines = [
  "http",
  "https",
  "util",
  "process",
  "fs/promises",
  "child_process",
  "readline",
  "tty",
  "stream",
  "net",
];
watching("is nothing: what modules of the engine read when they are loaded", async () =>
  assert.equal(await readsOf("1", engines.map((name) => `import "node:${name}";`).join("\n")), []),
);

watching("is seen in a default that a function makes", async () =>
  assert.equal(
    await readsOf(
      "tool.dataSubcommand({ name: 'b', description: 'd', input: z.object({ x: z.string().default(() => process.env.LEVEL ?? 'low') }), output: {}, handler: () => ({ message: '' }) })",
    ),
    [LEVEL],
  ),
);

watching.run();
