import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root, run } from "./harness.ts";
import { emptyFolder, shown, toolWith } from "./project.ts";

const packing = suite("the package");

/** The math tool of the public description. */
const MATH = `#!/usr/bin/env bun
import { z } from "zod";
import { Tool, l1Output } from "@code-first-agents/tool";

const tool = new Tool({
  name: "math",
  description: "Basic math operations",
});

tool.subcommand({
  name: "multiply",
  description: "Multiply two numbers",
  input: z.object({
    a: z.coerce.number(),
    b: z.coerce.number(),
  }).strict(),
  output: l1Output({ product: z.number() }),
  handler: ({ a, b }) => ({
    message: "multiplied",
    product: a * b,
  }),
});

tool.run(process.argv.slice(2));
`;

const $schema = "https://json-schema.org/draft/2020-12/schema";
const input = {
  $schema,
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};
const output = {
  $schema,
  type: "object",
  properties: { ok: { type: "boolean", const: true }, message: { type: "string" }, product: { type: "number" } },
  required: ["ok", "message", "product"],
  additionalProperties: false,
};
const multiply = { name: "multiply", description: "Multiply two numbers", input_schema: input };

const answers: [args: string[], envelope: object][] = [
  [["multiply", "--a", "6", "--b", "7"], { ok: true, message: "multiplied", product: 42 }],
  [["schema"], { ok: true, message: "the JSON Schema of every subcommand", schemas: { multiply: { input, output } } }],
  [["help"], { ok: true, message: "Basic math operations", tool: { name: "math" }, subcommands: [multiply] }],
];

const packed = await pack();
const project = emptyFolder();
const installed = await run("npm", ["install", "--prefer-offline", packed, "zod", "bun"], { cwd: project });
const isOffline = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH)\b/.test(
  installed.stderr,
);
if (isOffline) console.log("left out: the package as a user installs it, the registry cannot be reached");
const whole = isOffline ? packing.skip : packing;

packing("holds the command, what it runs, and the types", async () => {
  const files = await packedFiles();
  const isType = (path: string) => path.startsWith("dist/types/");
  const plain = files
    .filter((path) => !isType(path) && !path.startsWith("examples/"))
    .map((path) => path.replace(/-[A-Z0-9]{8}\.js$/, "-HASH.js"));
  assert.equal([...new Set(plain)].sort(), [
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "bin/cfa",
    "dist/build.js",
    "dist/chunk-HASH.js",
    "dist/cli.js",
    "dist/closed.js",
    "dist/commonjs.js",
    "dist/convert-HASH.js",
    "dist/entry.js",
    "dist/graph.js",
    "dist/index.js",
    "dist/lazy.js",
    "dist/observe.js",
    "dist/schema3-HASH.js",
    "docs/design.md",
    "package.json",
  ]);
  const sources = ["src", "build"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  const types = files.filter(isType).map((path) => path.replace("dist/types/", "").replace(/\.d\.ts$/, ".ts"));
  assert.ok(types.includes("src/index.ts") && types.includes("build/index.ts"), types.join(" "));
  assert.equal(
    types.filter((path) => !sources.includes(path)),
    [],
  );
});

packing("holds what its pages link to", async () => {
  const files = await packedFiles();
  const links = files
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, link = ""]) =>
        join(dirname(page), link),
      ),
    );
  assert.ok(links.includes("examples/container"), links.join(" "));
  assert.equal(
    links.filter((link) => !files.some((file) => file === link || file.startsWith(`${link}/`))),
    [],
  );
});

packing("is what publint and attw want it to be", async () => {
  const publint = await run(join(root, "node_modules/.bin/publint"), ["--strict", packed]);
  assert.is(publint.code, 0, publint.stdout + publint.stderr);
  const attw = await run(join(root, "node_modules/.bin/attw"), [
    "--profile",
    "esm-only",
    "--no-definitely-typed",
    packed,
  ]);
  assert.is(attw.code, 0, attw.stdout + attw.stderr);
});

whole("installed, keeps a package from what lies where the executable runs, itself not", async () => {
  mkdirSync(join(project, "node_modules/asks"));
  writeFileSync(join(project, "node_modules/asks/index.js"), "exports.ask = (name) => import(name);\n");
  const value = '[await ask("./evil.js").catch(({ code }) => code), typeof (await ask("node:fs")).readFileSync]';
  writeFileSync(join(project, "asks.ts"), toolWith({ head: 'import { ask } from "asks";', value }));
  writeFileSync(join(project, "evil.js"), 'console.log("PWNED")');
  const built = await run("npx", ["cfa", "build", "asks.ts"], { cwd: project, env: { CFA_BUN: undefined } });
  assert.equal([built.stdout, built.code], ["./asks\n", 0], built.stderr);
  const stdout = `${shown(["ERR_MODULE_NOT_FOUND", "function"])}\n`;
  assert.equal(await run("./asks", ["show"], { cwd: project }), { stdout, stderr: "", code: 0 });
});

whole("installed beside zod and bun, makes an executable that needs none of them", async () => {
  assert.is(installed.code, 0, installed.stderr);
  writeFileSync(join(project, "math.ts"), MATH);
  const built = await run("npx", ["cfa", "build", "math.ts"], { cwd: project, env: { CFA_BUN: undefined } });
  assert.equal([built.stdout, built.code], ["./math\n", 0], built.stderr);
  const elsewhere = emptyFolder();
  renameSync(join(project, "math"), join(elsewhere, "math"));
  rmSync(project, { recursive: true });
  for (const [args, envelope] of answers)
    for (const env of [{}, { PATH: "" }])
      assert.equal(await run("./math", args, { cwd: elsewhere, env }), {
        stdout: `${JSON.stringify(envelope)}\n`,
        stderr: "",
        code: 0,
      });
});

packing.run();

async function packedFiles(): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", packed]);
  return stdout
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
}

/** Packs what is in `dist`, as `npm publish` would. */
async function pack(): Promise<string> {
  const folder = emptyFolder();
  const { stderr, code } = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  const [name] = readdirSync(folder);
  if (code !== 0 || name === undefined) throw new Error(`npm pack failed: ${stderr}`);
  return join(folder, name);
}
