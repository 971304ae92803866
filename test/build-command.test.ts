import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { targetOfEngine } from "../build/release/products.ts";
import { bun, root, run } from "./harness.ts";
import { cfa, emptyFolder, folderWith, sha256, shown, stateOf, steady, stepsTo, told, toolWith } from "./project.ts";

const command = suite("the command");

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const HELP = `cfa ${version} makes one executable of a tool for LLM agents

usage
  cfa build <tool.ts>      make the executable
  cfa schema <tool.ts>     print what \`./tool schema\` would print, without making it
  cfa inspect <file>       tell what is in an executable, without running it
  cfa --help | --version

flags of build
  -o, --outfile PATH       where the executable goes; ./tool for tool.ts
      --target NAME        what to build for, several times for several; host, all, linux-x64, linux-arm64,
                           linux-x64-musl, linux-arm64-musl, darwin-x64, darwin-arm64, windows-x64, windows-arm64
      --outdir PATH        where the executables of several targets go, with their sums
      --sbom               write a bill of materials beside, as CycloneDX
      --licenses           write the licences of what is inside beside
      --archive            pack each executable as well
      --bun PATH           the Bun to build with
      --bun-dir PATH       a folder with Bun for other targets; else npm gets it
      --no-bytecode        do not compile the code: smaller, slower to start
      --no-minify          keep the code as it is
      --no-prelude         on Linux: let Bun answer everything, and obey its variables
      --timeout SECONDS    how long the tool may take to load; 10
      --json               print one JSON object instead of the path
      --verbose            say also what keeps the executable from starting faster

package.json may hold defaults for these under "cfa".
`;

const engines = { Node: process.execPath, Bun: bun };

for (const [name, engine] of Object.entries(engines)) {
  command(`on ${name} tells of itself`, async () => {
    const folder = folderWith({});
    for (const args of [["--help"], ["-h"], ["build", "--help"], ["build", "no.ts", "--help"]])
      assert.equal(await cfa(folder, args, { engine }), { stdout: HELP, stderr: "", code: 0 });
    for (const args of [["--version"], ["-v"]])
      assert.equal(await cfa(folder, args, { engine }), { stdout: `${version}\n`, stderr: "", code: 0 });
  });

  command(`on ${name} prints one envelope for --json`, async () => {
    const folder = folderWith({
      "package.json": '{ "name": "package", "version": "1.2.3" }',
      "tool.ts": toolWith({ head: 'console.error("loading");', end: 'tool.run(["show"]);' }).replace(
        "description",
        'version: "4.5.6", description',
      ),
    });
    const { stdout, stderr, code } = await cfa(folder, ["build", "tool.ts", "--json"], { engine });
    assert.equal({ stderr, code }, { stderr: "loading\n", code: 0 });
    assert.is(stdout, `${JSON.stringify(JSON.parse(stdout))}\n`);
    const { bytes, ms, executables, ...rest } = JSON.parse(stdout);
    const outfile = join(folder, "tool");
    const [engineVersion] = (await run(bun, ["--version"])).stdout.split("\n");
    assert.equal(rest, {
      ok: true,
      message: `built ${outfile}`,
      outfile,
      engine: engineVersion,
      tool: { name: "shown", version: "4.5.6" },
      package: { name: "package", version: "1.2.3" },
      subcommands: ["show"],
      warnings: [],
      notes: ["the tool is loaded for every answer, because `run` is given other words than the command line's"],
      files: [],
      sha256: sha256(outfile),
    });
    const prelude = process.platform === "linux";
    assert.equal(executables, [{ target: await hostName(), outfile, bytes, prelude, sha256: sha256(outfile) }]);
    assert.is(bytes, statSync(outfile).size);
    assert.equal(Object.keys(ms), ["plan", "bundle", "evaluate", "render", "compile", "seal", "verify"]);
    assert.ok(
      Object.values(ms).every((time) => Number.isInteger(time) && Number(time) >= 0),
      stdout,
    );
  });

  command(`on ${name} prints the schema that the executable prints`, async () => {
    const folder = folderWith({
      "tool.ts": toolWith({ head: 'console.log("loading");', end: "export default tool;" }),
    });
    const { stdout, stderr, code } = await cfa(folder, ["schema", "tool.ts"], { engine });
    assert.equal({ stderr, code }, { stderr: "loading\n", code: 0 });
    assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
    await cfa(folder, ["build", "tool.ts", "--json"], { engine });
    assert.equal(await run(join(folder, "tool"), ["schema"]), { stdout, stderr: "", code: 0 });
    assert.equal(Object.keys(JSON.parse(stdout).schemas), ["show"]);
  });
}

command("prints no schema of what is no tool", async () => {
  const folder = folderWith({ "tool.ts": "export const n = 1;" });
  const stderr = 'cfa: no tool in "tool.ts"\n  create one with `new Tool({ … })` and call `tool.run()`\n';
  assert.equal(await cfa(folder, ["schema", "tool.ts"]), { stdout: "", stderr, code: 1 });
});

command("with --verbose says so where there is nothing to say", async () => {
  const says = "nothing in the tool keeps the executable from starting faster\n";
  const built = await cfa(emptyFolder(), ["build", join(root, "examples/math.ts"), "--verbose"]);
  assert.equal(steady(built), told("./math", says));
});

command("leaves nothing in the folder for temporary files", async () => {
  const folder = folderWith({ "tool.ts": toolWith(), "temp/cfa-schema/file": "" });
  const env = { TMPDIR: join(folder, "temp") };
  assert.is((await cfa(folder, ["schema", "tool.ts"], { env })).code, 0);
  assert.is((await cfa(folder, ["build", "tool.ts"], { env })).code, 0);
  assert.equal(Object.keys(stateOf(join(folder, "temp"))), ["cfa-schema", "cfa-schema/file"]);
});

const canType = (await run("script", ["--version"]).catch(() => undefined))?.code === 0;
if (!canType) console.log("left out: the live line, script (of util-linux) is missing");
const terminal = canType ? command : command.skip;

terminal("shows a live line on a terminal", async () => {
  const folder = folderWith({ "tool.ts": toolWith({ head: 'process.stderr.write("loading");' }), "bad.ts": "" });
  const typed = async (line: string) => {
    const typescript = join(folder, "typescript");
    const { stdout } = await run("script", ["-qec", `"${process.execPath}" "${root}/bin/cfa" ${line}`, typescript], {
      cwd: folder,
    });
    return stdout.replaceAll("\r\n", "\n").replace(/\d+\.\d MB in \d+\.\d\d s/, "SIZE in TIME");
  };
  const wipe = "\r\x1b[2K";
  const live = (name: string) => `${wipe}${name} …`;
  const [first = "", second = ""] = stepsTo()
    .split("render\n")
    .map((steps) => steps.trim().split("\n").map(live).join(""));
  const built = `${first}${wipe}loading\n${live("render")}${second}${wipe}SIZE in TIME\n./tool\n`;
  assert.is(await typed("build tool.ts"), built);
  const failed = `${first}${wipe}cfa: no tool in "bad.ts"\n  create one with \`new Tool({ … })\` and call \`tool.run()\`\n`;
  assert.is(await typed("build bad.ts"), failed);
  const { ok } = JSON.parse(
    stripVTControlCharacters(await typed("build tool.ts --json"))
      .split("\n")
      .at(1) ?? "",
  );
  assert.is(ok, true);
});

command("goes where no Bun is on the PATH, with the one that is named", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  for (const [args, env] of [
    [["--bun", bun], {}],
    [[], { CFA_BUN: bun }],
  ] as const) {
    const { stdout } = await cfa(folder, ["build", "tool.ts", ...args], { env: { PATH: "", ...env } });
    assert.is(stdout, "./tool\n");
    assert.is((await run(join(folder, "tool"), ["show"])).stdout, `${shown(1)}\n`);
  }
});

command("says nothing to a reader that went away", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  for (const engine of Object.values(engines))
    for (const line of ["schema tool.ts", "--help"]) {
      const piped = `"${engine}" "${root}/bin/cfa" ${line} | true`;
      assert.equal(await run("sh", ["-c", piped], { cwd: folder }), { stdout: "", stderr: "", code: 0 });
    }
});

command.run();

async function hostName(): Promise<string> {
  return (await targetOfEngine({ path: bun, version: "" })).name;
}
