import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { targetOfEngine } from "../build/release/products.ts";
import { bun, compiled, root, run } from "./harness.ts";
import { cfa, emptyFolder, folderWith, sha256, toolWith } from "./project.ts";

const inspecting = suite("cfa inspect");

const { target, engine, versions } = await facts();
const math = await compiled("examples/math.ts");
const schemas = JSON.parse((await run(math, ["schema"])).stdout).schemas;
const subcommands = [
  { name: "multiply", description: "Multiply a by b", ...schemas.multiply },
  { name: "divide", description: "Divide a by b", ...schemas.divide },
];
const prelude = process.platform === "linux";
const packages = ["@code-first-agents/tool", "zod"].map((name) => ({ name, version: versions[name], license: "MIT" }));

for (const [name, program] of Object.entries({ Node: process.execPath, Bun: bun })) {
  inspecting(`on ${name} tells of an executable for people`, async () => {
    const stdout = `math: Arithmetic on two numbers
  target       ${target}
  engine       Bun ${engine.version}
               sha256 ${engine.sha256}
  made by      cfa ${versions["@code-first-agents/tool"]}
  prelude      ${prelude ? "yes" : "no"}
  intact       yes
  packages     @code-first-agents/tool ${versions["@code-first-agents/tool"]} (MIT)
               zod ${versions["zod"]} (MIT)
  subcommands  multiply: Multiply a by b
               divide: Divide a by b
`;
    assert.equal(await cfa(emptyFolder(), ["inspect", math], { engine: program }), { stdout, stderr: "", code: 0 });
  });
}

const described = {
  name: "math",
  description: "Arithmetic on two numbers",
  subcommands,
  engine,
  cfa: versions["@code-first-agents/tool"],
  packages,
  target,
  prelude,
};

inspecting("tells of an executable for machines", async () => {
  const { stdout, stderr, code } = await cfa(emptyFolder(), ["inspect", math, "--json"]);
  assert.equal({ stderr, code }, { stderr: "", code: 0 });
  assert.is(stdout, `${JSON.stringify(JSON.parse(stdout))}\n`);
  assert.equal(JSON.parse(stdout), { ok: true, message: `${math} is as it was made`, ...described, damage: [] });
});

inspecting("tells what is damaged", async () => {
  const file = join(emptyFolder(), "math");
  const bytes = readFileSync(math);
  for (const [at, damage] of [
    [40_000_000, "the Bun inside is another"],
    [bytes.length - 1, "the tool inside is another"],
  ] as const) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(file, changed);
    const { stdout, stderr, code } = await cfa(emptyFolder(), ["inspect", file, "--json"]);
    assert.equal({ stderr, code }, { stderr: "", code: 1 });
    assert.equal(JSON.parse(stdout), {
      ok: false,
      error: "damaged",
      message: `${file} is damaged: ${damage}`,
      hint: "get it again",
      ...described,
      damage: [damage],
    });
    const told = await cfa(emptyFolder(), ["inspect", file]);
    assert.match(told.stdout, `  intact       no\n               ${damage}\n`);
    assert.is(told.code, 1);
  }
});

inspecting("tells of an executable whose Bun was started by a script", async () => {
  const folder = folderWith({ "tool.ts": toolWith(), bun: `#!/bin/sh\nexec "${bun}" "$@"\n` });
  chmodSync(join(folder, "bun"), 0o755);
  const { stderr, code } = await cfa(folder, ["build", "tool.ts", "--bun", "./bun"]);
  assert.is(code, 0, stderr);
  const told = JSON.parse((await cfa(folder, ["inspect", "tool", "--json"])).stdout);
  assert.equal([told.ok, told.name, told.engine.version], [true, "shown", engine.version]);
});

const none: [what: string, message: (path: string) => string][] = [
  [bun, (path) => `"${path}" is no executable that cfa has made`],
  [join(root, "package.json"), (path) => `"${path}" is no executable that cfa has made`],
];

for (const [path, message] of none)
  inspecting(`refuses ${path.replace(root, "")}`, async () => {
    const hint = "cfa build makes one of a tool; who strips or compresses it loses what is inside";
    const stderr = `cfa: ${message(path)}\n  ${hint}\n`;
    assert.equal(await cfa(emptyFolder(), ["inspect", path]), { stdout: "", stderr, code: 1 });
  });

const wrong: [args: string[], message: string, hint: string][] = [
  [["inspect"], "inspect needs the file of an executable", "cfa inspect ./tool"],
  [["inspect", "a", "b"], 'one executable at a time: "b" is too much', "cfa inspect a"],
];

for (const [args, message, hint] of wrong)
  inspecting(`refuses ${args.join(" ")}`, async () => {
    assert.equal(await cfa(folderWith({}), args), { stdout: "", stderr: `cfa: ${message}\n  ${hint}\n`, code: 2 });
  });

inspecting.run();

async function facts() {
  const version = (await run(bun, ["--version"])).stdout.trim();
  const target = (await targetOfEngine({ path: bun, version })).name;
  const versionIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).version;
  const versions: Record<string, string> = {
    "@code-first-agents/tool": versionIn("."),
    zod: versionIn("node_modules/zod"),
  };
  const engine = { version, sha256: sha256(bun), bytes: readFileSync(bun).length };
  return { target, engine, versions };
}
