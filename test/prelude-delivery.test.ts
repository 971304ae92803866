import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run, temporary } from "./harness.ts";
import { bothWays, isLinux, longTool } from "./sealed.ts";

const delivery = suite("delivery before Bun");
const onLinux = isLinux ? delivery : delivery.skip;
if (!isLinux) console.log("left out: what the prelude delivers, it is for Linux");

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const long = longTool();

const readers: [what: string, flags: number, piece: number, pause: number][] = [
  ["a fast reader", O_WRONLY, 65536, 0],
  ["a slow reader", O_WRONLY, 4096, 1],
  ["a slow reader of a pipe that does not block", O_WRONLY | O_NONBLOCK, 4096, 1],
  ["a reader in small pieces of a pipe that does not block", O_WRONLY | O_NONBLOCK, 100, 0],
];

for (const [what, flags, piece, pause] of readers) {
  onLinux(`gives every byte to ${what}`, async () => {
    const { sealed, plain } = await bothWays(long);
    const expected = await run(plain, ["schema"]);
    assert.ok(expected.stdout.length > 200_000);
    const { from, to } = await pipe(flags);
    const { ended } = start(sealed, to);
    const pieces: Buffer[] = [];
    for (let done = false; !done; ) {
      const bytes = readSome(from, piece);
      if (bytes === undefined || pause) await after(pause);
      if (bytes) pieces.push(bytes);
      done = bytes?.length === 0;
    }
    assert.equal({ stdout: Buffer.concat(pieces).toString(), ...(await ended) }, expected);
    closeSync(from);
  });
}

onLinux("is quiet where the reader has gone, before or in the middle", async () => {
  const { sealed } = await bothWays(long);
  for (const read of [0, 1000]) {
    const { from, to } = await pipe(O_WRONLY);
    if (read === 0) closeSync(from);
    const { child, ended } = start(sealed, to);
    if (read > 0) {
      await blocked(child);
      assert.is(readSome(from, read)?.length, read);
      closeSync(from);
    }
    assert.equal(await ended, { stderr: "", code: 0 });
  }
});

/** Shell lines with the executable as `$0`, and what the caller learns. */
const undeliverable: [line: string, stderr: string][] = [
  [`"$0" schema >&-`, "EBADF"],
  [`"$0" schema >&- <&-`, "EBADF"],
  [`"$0" schema 1</dev/null`, "EBADF"],
  [`"$0" schema >/dev/full`, "ENOSPC"],
  [`trap "" PIPE; "$0" schema >/dev/full`, "ENOSPC"],
  [`trap "" XFSZ; ulimit -f 0; "$0" schema >file`, "EFBIG"],
];

for (const [line, error] of undeliverable) {
  onLinux(`says that it could not: ${line}`, async () => {
    const { sealed, plain } = await bothWays(long);
    const expected = { stdout: "", stderr: `stdout: the answer could not be written: ${error}\n`, code: 74 };
    const cwd = temporary();
    assert.equal(await run("sh", ["-c", line, sealed], { cwd }), expected);
    assert.equal(await run("sh", ["-c", line, plain], { cwd }), expected, "by its entry");
  });
}

onLinux("tells nobody where stderr is closed too", async () => {
  const { sealed } = await bothWays(long);
  assert.equal(await run("sh", ["-c", '"$0" schema >&- 2>&-', sealed]), { stdout: "", stderr: "", code: 74 });
});

onLinux("takes at most 2 MB", async () => {
  const { sealed } = await bothWays("examples/math.ts");
  const { from, to } = await pipe(O_WRONLY | O_NONBLOCK);
  writeSync(to, Buffer.alloc(65536)); // all that it holds
  const { child, ended } = start(sealed, to);
  await blocked(child);
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  child.kill("SIGKILL");
  await ended;
  closeSync(from);
  assert.ok(Number(peak) <= 2048, `${peak} kB`);
});

delivery.run();

/** A pipe whose ends are opened one by one, as no pipe of Node's is. */
async function pipe(flags: number): Promise<{ from: number; to: number }> {
  const path = join(temporary(), "pipe");
  await run("mkfifo", [path]);
  const from = openSync(path, O_RDONLY | O_NONBLOCK);
  return { from, to: openSync(path, flags) };
}

function start(executable: string, to: number) {
  const child = spawn(executable, ["schema"], { stdio: ["ignore", to, "pipe"] });
  closeSync(to);
  let stderr = "";
  child.stderr?.on("data", (piece) => {
    stderr += piece;
  });
  const ended = new Promise<{ stderr: string; code: number | null }>((done) => {
    child.on("close", (code) => done({ stderr, code }));
  });
  return { child, ended };
}

/** Undefined where there is nothing yet, no bytes at the end. */
function readSome(from: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size);
  try {
    return bytes.subarray(0, readSync(from, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}

/** Waits until a child waits for its reader. */
async function blocked(child: ChildProcess): Promise<void> {
  const call = () => readFileSync(`/proc/${child.pid}/syscall`, "utf8");
  while (!/^(1|64|271|73) /.test(call())) await after(1); // write or ppoll, of x64 and arm64
}
