import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nameOfOwn } from "../build/system/owner.ts";
import { type Ran, root, run } from "./harness.ts";
import { cfa, emptyFolder, folderWith, sha256, shown, stateOf, steady, told, toolWith } from "./project.ts";
import { isLinux } from "./sealed.ts";

const harmless = suite("a build cannot hurt");

const project = folderWith({ "tool.ts": toolWith() });
const source = join(project, "tool.ts");
const started = performance.now();
assert.equal(steady(await cfa(project, ["build", "tool.ts"])), told("./tool"));
const duration = performance.now() - started;
const whole = sha256(join(project, "tool"));

const POINTS = 30;

harmless("killed at any time, it leaves the old file or the new one; the next one clears up", async () => {
  const folder = folderWith({ tool: "" });
  const outfile = join(folder, "tool");
  for (let point = 0; point < POINTS; point++) {
    writeFileSync(outfile, "old");
    await killedAfter((duration * point) / POINTS, ["build", source, "-o", outfile]);
    assert.ok(["old", whole].includes(statSync(outfile).size === 3 ? "old" : sha256(outfile)), `point ${point}`);
  }
  assert.is((await cfa(folder, ["build", source, "-o", "tool"])).code, 0);
  assert.equal(stateOf(folder), { tool: whole });
});

const disks = isLinux && (await canMount());
(disks ? harmless : harmless.skip)("on a full disk it leaves the old file", async () => {
  const size = Math.ceil(statSync(join(project, "tool")).size / 1024);
  const build = `"${process.execPath}" "${root}/bin/cfa" build "${source}" -o tool`;
  const old = createHash("sha256").update("old").digest("hex");
  const codes: number[] = [];
  for (const kilobytes of [200, 1_000, 4_000, size / 2, size - 1_000, size + 1_000, 3 * size]) {
    const command = `printf old >tool; ${build}; echo "code $?"; ls -A; sha256sum <tool`;
    const { stdout, stderr } = await onDisk(Math.round(kilobytes), command);
    const code = Number(/^code (\d)$/m.exec(stdout)?.[1]);
    codes.push(code);
    const end = `code ${code}\ntool\n${code === 0 ? whole : old}  -\n`;
    assert.is(stdout, code === 0 ? `./tool\n${end}` : end, stderr);
    if (code !== 0) assert.match(stderr, /^cfa: no space is left in "[^"\n]*"\n {2}an executable takes .*\n$/m);
  }
  assert.equal([codes[0], codes.at(-1)], [1, 0]);
});

harmless("a folder of a build that may be alive stays, one of a dead build goes", async () => {
  const [, place = "", pid = "", start = ""] = (await nameOfOwn()).split("-");
  const folder = folderWith({});
  const elsewhere = "0".repeat(place.length);
  const names = {
    own: `.cfa-${place}-${pid}-${start}-own`,
    reused: `.cfa-${place}-${pid}-1-reused`,
    dead: `.cfa-${place}-${await deadPid()}-${start}-dead`,
    elsewhere: `.cfa-${elsewhere}-${pid}-${start}-beating`,
    silent: `.cfa-${elsewhere}-${pid}-${start}-silent`,
    others: ".cfa-settings",
  };
  for (const name of Object.values(names)) mkdirSync(join(folder, name));
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, names.silent), longAgo, longAgo);
  assert.is((await cfa(folder, ["build", source, "-o", "tool"])).code, 0);
  const left = [names.elsewhere, names.others, names.own, "tool", ...(isLinux ? [] : [names.reused])];
  assert.equal(Object.keys(stateOf(folder)), left.sort());
});

harmless("a build that takes long says that it is alive", async () => {
  const waits = "await new Promise(() => setInterval(() => {}, 1000));";
  const folder = folderWith({ "tool.ts": toolWith({ head: waits }) });
  const args = [join(root, "bin/cfa"), "build", "tool.ts", "--timeout", "60"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
  const ended = new Promise((done) => child.on("close", done));
  const own = await until(() => readdirSync(folder).find((name) => name.startsWith(".cfa-")));
  await until(() => existsSync(join(folder, own, "probe.js")));
  await new Promise((done) => setTimeout(done, 2_000)); // from here on nothing is written
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, own), longAgo, longAgo);
  await until(() => Date.now() - statSync(join(folder, own)).mtimeMs < 60_000);
  child.kill("SIGTERM");
  await ended;
  assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
});

(isLinux ? harmless : harmless.skip)("killed, it leaves no process behind", async () => {
  const waits = "await new Promise(() => setInterval(() => {}, 1000));";
  const folder = folderWith({ "tool.ts": toolWith({ head: waits }) });
  const child = spawn(process.execPath, [join(root, "bin/cfa"), "build", "tool.ts"], { cwd: folder, stdio: "ignore" });
  await until(() => processesOf(folder).length === 2); // it is looked at twice
  child.kill("SIGKILL");
  await until(() => processesOf(folder).length === 0);
});

harmless("over an executable that runs: that one goes on, the new one is there", async () => {
  const waiting = folderWith({
    "tool.ts": toolWith({ value: "await new Promise((done) => process.stdin.once('data', () => done('old')))" }),
  });
  const outfile = join(waiting, "tool");
  await cfa(waiting, ["build", "tool.ts"]);
  const child = spawn(outfile, ["show"], { stdio: ["pipe", "pipe", "inherit"] });
  const printed = new Promise((done) => child.stdout.once("data", (text: Buffer) => done(text.toString())));
  assert.is((await cfa(waiting, ["build", source, "-o", "tool"])).code, 0);
  child.stdin.end("go on\n");
  assert.is(await printed, `${shown("old")}\n`);
  assert.is((await run(outfile, ["show"])).stdout, `${shown(1)}\n`);
});

for (const [umask, mode] of [
  ["077", 0o700],
  ["002", 0o775],
] as const)
  harmless(`umask ${umask} is obeyed`, async () => {
    const folder = emptyFolder();
    const script = `umask ${umask} && exec "${process.execPath}" "${root}/bin/cfa" build "${source}" -o tool`;
    assert.equal(steady(await run("sh", ["-c", script], { cwd: folder })), told("./tool"));
    assert.is(statSync(join(folder, "tool")).mode & 0o777, mode);
  });

harmless("through links to where nothing is yet", async () => {
  const folder = folderWith({ "real/folder/file": "" });
  symlinkSync("real/link", join(folder, "tool"));
  symlinkSync("folder/tool", join(folder, "real/link"));
  assert.equal(steady(await cfa(folder, ["build", source, "-o", "tool"])), told("./real/folder/tool"));
  const { tool, "real/link": link, "real/folder/tool": made } = stateOf(folder);
  assert.equal([tool, link, made], ["-> real/link", "-> folder/tool", whole]);
});

for (const outfile of ["new/", "./", "tool.ts/"])
  harmless(`-o ${outfile} is no file`, async () => {
    const folder = folderWith({ "tool.ts": toolWith() });
    const says = `the outfile "${outfile}" is a folder, by its name\n  name a file with --outfile, or a folder with --outdir\n`;
    const failed = { stdout: "", stderr: `plan\ncfa: ${says}`, code: 1 };
    assert.equal(await cfa(folder, ["build", "tool.ts", "-o", outfile]), failed);
    assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
  });

harmless.run();

function killedAfter(ms: number, args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, "bin/cfa"), ...args], { stdio: "ignore" });
  setTimeout(() => child.kill("SIGKILL"), ms);
  return new Promise((done) => child.on("close", () => done()));
}

/** Those whose command line speaks of a folder. */
function processesOf(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false; // it has ended
    }
  });
}

/** Waits for what comes soon. */
async function until<T>(look: () => T | undefined | false): Promise<T> {
  const seen = look();
  if (seen) return seen;
  await new Promise((done) => setTimeout(done, 50));
  return until(look);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((done) => child.on("close", done));
  return child.pid as number;
}

/** Runs a command in a folder that is a disk of its own, and only for that command. */
function onDisk(kilobytes: number, command: string): Promise<Ran> {
  const script = 'mount -t tmpfs -o "size=$1k" tmpfs "$2" && cd "$2" && eval "$3"';
  const flags = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
  return run("unshare", [...flags, "sh", "-c", script, "sh", `${kilobytes}`, emptyFolder(), command]);
}

async function canMount(): Promise<boolean> {
  const can = (await onDisk(64, "true").catch(() => undefined))?.code === 0;
  if (!can) console.log("left out: builds on a full disk, nothing can be mounted");
  return can;
}
