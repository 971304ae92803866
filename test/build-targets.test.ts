import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readTargets } from "../build/engine/targets.ts";
import { inspect } from "../build/release/inspect.ts";
import { targetOfEngine } from "../build/release/products.ts";
import { bun, root, run } from "./harness.ts";
import { cfa, emptyFolder, type Files, folderWith, sha256, shown, stateOf, toolWith } from "./project.ts";
import { has } from "./sealed.ts";

const building = suite("a build for other machines");

const host = await targetOfEngine({ path: bun, version: "" });
const version = (await run(bun, ["--version"])).stdout.trim();
const names = readTargets(["all"], host).map(({ name, extension }) => `${name}${extension}`);
const files = { "tool.ts": toolWith(), "package.json": '{ "name": "project", "version": "1.0.0" }' };

/** Everything for everyone, built once; each executable is compared below. */
const everything = folderWith(files);
const flags = ["--target", "all", "--outdir", "dist", "--sbom", "--licenses"];
const all = await cfa(everything, ["build", "tool.ts", ...flags], { env: { npm_config_fetch_retries: "1" } });
const isOffline = all.stderr.includes("npm could not get ");

/** A test that needs what was built. */
function whole(it: string, test: () => unknown): void {
  if (isOffline) console.log(`left out: a build that ${it}, npm cannot get Bun for other machines`);
  (isOffline ? building.skip : building)(it, async () => void (await test()));
}

const built = (name: string) => join(everything, "dist", `tool-${name}`);

whole("makes executables for all of them, and tells of each", () => {
  const { stdout, stderr, code } = all;
  assert.is(code, 0, stderr);
  assert.is(stdout, names.map((name) => `./dist/tool-${name}\n`).join(""));
  const steps = stderr.trim().split("\n");
  assert.equal(steps.slice(0, 1), ["plan"]);
  for (const name of readTargets(["all"], host).map(({ name }) => name))
    assert.equal(
      steps.filter((step) => step.endsWith(` ${name}`)),
      [...(name === host.name ? [] : ["fetch"]), "compile", "seal", "verify"].map((step) => `${step} ${name}`),
    );
  assert.equal(Object.keys(stateOf(everything)), [
    "dist",
    "dist/SHA256SUMS",
    ...names.map((name) => `dist/tool-${name}`).sort(),
    "dist/tool.cdx.json",
    "dist/tool.licenses.txt",
    "dist/tool.manifest.json",
    "package.json",
    "tool.ts",
  ]);
});

whole("gives their sums", async () => {
  const { stdout, code } = await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], {
    cwd: join(everything, "dist"),
  });
  assert.is(code, 0);
  const summed = [
    ...names.map((name) => `tool-${name}`).sort(),
    "tool.cdx.json",
    "tool.licenses.txt",
    "tool.manifest.json",
  ];
  assert.is(stdout, summed.map((name) => `${name}: OK\n`).join(""));
});

for (const target of readTargets(["all"], host)) {
  whole(`makes one for ${target.name} that can be looked into`, async () => {
    const path = built(`${target.name}${target.extension}`);
    const { engine, subcommands, packages, ...rest } = await inspect(path);
    assert.equal(rest, {
      name: "shown",
      description: "Shows a value",
      cfa: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
      target: target.name,
      prelude: target.name.startsWith("linux-"),
      damage: [],
    });
    assert.is(statSync(path).mode & 0o777, 0o755 & ~process.umask());
    const { executables, ...facts } = JSON.parse(readFileSync(join(everything, "dist/tool.manifest.json"), "utf8"));
    const { name, description, cfa } = rest;
    assert.equal(facts, { name, description, subcommands, engine: version, cfa, packages });
    assert.equal(
      executables.find((one: { target: string }) => one.target === target.name),
      {
        target: target.name,
        file: basename(path),
        bytes: statSync(path).size,
        sha256: sha256(path),
        prelude: rest.prelude,
        engine: { sha256: engine.sha256, bytes: engine.bytes },
      },
    );
  });
}

const emulates = has("qemu-aarch64-static", "running what is made for arm64") && hasLibrary();
const emulated = emulates ? whole : building.skip;

emulated("makes one for arm64 that runs", async () => {
  for (const [args, line] of [
    [["show"], shown(1)],
    [["schema"], (await run(built(host.name), ["schema"])).stdout.trim()],
  ] as const)
    assert.equal(await run("qemu-aarch64-static", ["-L", "/usr/aarch64-linux-gnu", built("linux-arm64"), ...args]), {
      stdout: `${line}\n`,
      stderr: "",
      code: 0,
    });
});

whole("makes equal bytes from a copy, elsewhere, with less beside", async () => {
  const { cwd, env } = elsewhere();
  const some = ["darwin-x64", "windows-arm64", "linux-arm64-musl"].filter((name) => name !== host.name);
  const wanted = some.flatMap((name) => ["--target", name]);
  const { stdout, stderr, code } = await cfa(cwd, ["build", "tool.ts", ...wanted, "--outdir", ".."], {
    env,
    engine: bun,
  });
  assert.is(code, 0, stderr);
  const paths = stdout.trim().split("\n");
  assert.is(paths.length, some.length);
  for (const path of paths)
    assert.is(sha256(resolve(cwd, path)), sha256(join(everything, "dist", basename(path))), path);
});

building("makes equal bytes for this machine in any way", async () => {
  const one = folderWith(files);
  await cfa(one, ["build", "tool.ts"]);
  const { cwd, env } = elsewhere();
  await cfa(cwd, ["build", "tool.ts", "-o", "../../other name"], { env, engine: bun });
  await cfa(cwd, ["build", join(cwd, "tool.ts"), "--outdir", "../out/of/here", "--archive"], { env });
  const sums = [join(one, "tool"), join(cwd, "../../other name"), join(cwd, `../out/of/here/tool-${host.name}`)].map(
    sha256,
  );
  assert.equal(new Set(sums).size, 1, sums.join("\n"));
  const text = readFileSync(join(one, "tool"), "latin1");
  for (const secret of [one, cwd, root, process.execPath]) assert.not.ok(text.includes(secret), secret);
});

building("packs what it makes", async () => {
  const folder = folderWith(files);
  const { stdout, stderr } = await cfa(folder, ["build", "tool.ts", "--archive", "--licenses", "--json"]);
  assert.is(stderr, "");
  const archive = join(folder, "tool.tar.gz");
  assert.equal(JSON.parse(stdout).files, [join(folder, "tool.licenses.txt"), archive]);
  const there = emptyFolder();
  execFileSync("tar", ["-xpzf", archive], { cwd: there });
  assert.equal(Object.keys(stateOf(there)), ["tool", "tool.licenses.txt"]);
  assert.is(sha256(join(there, "tool")), sha256(join(folder, "tool")));
  assert.is((await run(join(there, "tool"), ["show"])).stdout, `${shown(1)}\n`);
});

building("takes what the package says", async () => {
  const cfaKey = { outdir: "out", targets: ["host"], sbom: true };
  const folder = folderWith({ ...files, "package.json": JSON.stringify({ name: "project", cfa: cfaKey }) });
  assert.is((await cfa(folder, ["build", "tool.ts"])).stdout, `./out/tool-${host.name}\n`);
  assert.equal(Object.keys(stateOf(join(folder, "out"))), [
    "SHA256SUMS",
    `tool-${host.name}`,
    "tool.cdx.json",
    "tool.manifest.json",
  ]);
});

building("refuses a base with a flipped bit before it writes anything", async () => {
  const other = host.name === "linux-arm64" ? "linux-x64" : "linux-arm64";
  const [target] = readTargets([other], host);
  const packaged = `node_modules/${target?.package}`;
  const folder = folderWith({
    ...files,
    [`bun/${packaged}/package.json`]: JSON.stringify({ name: target?.package, version }),
    [`bun/${packaged}/${target?.binary}`]: readFileSync(bun).subarray(0, 2 ** 20),
  });
  const args = ["build", "tool.ts", "--target", other, "--outdir", "dist", "--bun-dir", "bun"];
  const env = { XDG_CACHE_HOME: emptyFolder() };
  await cfa(folder, args, { env }); // half of a Bun makes no executable, but its sum is known now
  const before = stateOf(folder);
  const base = join(folder, "bun", packaged, target?.binary ?? "");
  const bytes = readFileSync(base);
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  writeFileSync(base, bytes);
  const record = join(env.XDG_CACHE_HOME, "cfa", `bun-${version}`, `${other}.json`);
  assert.equal(await cfa(folder, args, { env }), {
    stdout: "",
    stderr: `plan\nfetch ${other}\ncfa: "${base}" is not the Bun that it was: its SHA-256 is not the one in "${record}"\n  get it again, or delete "${record}"\n`,
    code: 1,
  });
  assert.equal(Object.keys(stateOf(folder)), Object.keys(before));
  assert.not.ok(existsSync(join(folder, "dist")));
});

type Refused = [args: string[], message: string, hint: string];

const refused: Refused[] = [
  [["--target", "all"], "8 targets and no folder for the executables", "--outdir dist"],
  [["--outdir", "x", "-o", "y"], "both a file and a folder for the executables", "leave out --outfile or --outdir"],
  [
    ["--target", "host", "--target", "darwin-x64", "-o", "y"],
    "2 targets and no folder for the executables",
    "--outdir dist",
  ],
];

for (const [args, message, hint] of refused)
  building(`refuses ${args.join(" ")}`, async () => {
    const folder = folderWith(files);
    const stderr = `plan\ncfa: ${message}\n  ${hint}\n`;
    assert.equal(await cfa(folder, ["build", "tool.ts", ...args]), { stdout: "", stderr, code: 1 });
    assert.equal(Object.keys(stateOf(folder)), ["package.json", "tool.ts"]);
  });

building.run();

function hasLibrary(): boolean {
  const found = existsSync("/usr/aarch64-linux-gnu/lib/libc.so.6");
  if (!found) console.log("left out: running what is made for arm64, libc6-arm64-cross is missing");
  return found;
}

/** A copy of the project, as another user has it, at another time of another zone. */
function elsewhere() {
  const below: Files = Object.fromEntries(Object.entries(files).map(([path, text]) => [`a/deeper/${path}`, text]));
  const cwd = join(folderWith(below, "copy"), "a/deeper");
  const env = {
    HOME: emptyFolder(),
    TZ: "Asia/Tokyo",
    LANG: "de_DE.UTF-8",
    USER: "somebody",
    NODE_ENV: "production",
    EXTRA: "1",
  };
  return { cwd, env: { ...env, ...cacheOf(process.env) } };
}

/** A home of its own would have npm get all of Bun again. */
function cacheOf({ XDG_CACHE_HOME, HOME = "" }: NodeJS.ProcessEnv) {
  return { XDG_CACHE_HOME: XDG_CACHE_HOME ?? join(HOME, ".cache") };
}
