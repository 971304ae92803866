import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, compiled, type Ran, type RunOptions, run } from "./harness.ts";

const delivery = suite("delivery");

const file = "test/fixtures/delivery.mjs";
const ways: Record<string, string[]> = {
  compiled: [await compiled(file)],
  "in source": [bun, file],
  "on Node": [process.execPath, file],
};

const refused = '{"ok":false,"error":"refused","message":"not today"}\n';
const lost = (why: string) => `stdout: the answer could not be written: ${why}\n`;

/** A script of bash in which "$@" is the tool, what it is called with, and what becomes of it. */
type Row = [sentence: string, script: string, args: string[], ran: Ran, more?: RunOptions & { except?: string }];

const strict = { env: { CFA_EXIT_CODES: "1" } };

const rows: Row[] = [
  [
    "stdout is closed",
    '"$@" >&-',
    ["refuse"],
    { stdout: "", stderr: lost("EBADF"), code: 74 },
    {
      except: "on Node: it opens /dev/null in the place of a closed stdout, and cannot tell",
    },
  ],
  ["the disk is full", '"$@" > /dev/full', ["refuse"], { stdout: "", stderr: lost("ENOSPC"), code: 74 }],
  [
    "the disk is full, of much",
    '"$@" > /dev/full',
    ["fill", "--millions", "3"],
    { stdout: "", stderr: lost("ENOSPC"), code: 74 },
  ],
  [
    "the disk is full, and exit codes are asked for",
    '"$@" > /dev/full',
    ["refuse"],
    { stdout: "", stderr: lost("ENOSPC"), code: 74 },
    strict,
  ],
  ["the disk is full, and stderr is closed", '"$@" > /dev/full 2>&-', ["refuse"], { stdout: "", stderr: "", code: 74 }],
  [
    "the reader leaves",
    '"$@" | head -c 12; exit $PIPESTATUS',
    ["fill", "--millions", "1"],
    { stdout: '{"ok":true,"', stderr: "", code: 0 },
  ],
  [
    "the reader leaves, and exit codes are asked for",
    '"$@" | head -c 12; exit $PIPESTATUS',
    ["fill", "--millions", "1"],
    { stdout: '{"ok":true,"', stderr: "", code: 0 },
    strict,
  ],
  [
    "the reader was never there",
    '"$@" > >(exec >&- <&-; exit); exit $?',
    ["fill", "--millions", "1"],
    { stdout: "", stderr: "", code: 0 },
  ],
  ["a failure is only read", '"$@"', ["refuse"], { stdout: refused, stderr: "", code: 0 }],
  ["exit codes are asked for", '"$@"', ["refuse"], { stdout: refused, stderr: "", code: 1 }, strict],
  [
    "exit codes are asked for by another word",
    '"$@"',
    ["refuse"],
    { stdout: refused, stderr: "", code: 0 },
    { env: { CFA_EXIT_CODES: "yes" } },
  ],
  [
    "exit codes are asked for, of a subcommand that does not exist",
    '"$@" > /dev/null',
    ["nope"],
    { stdout: "", stderr: "", code: 1 },
    strict,
  ],
  [
    "exit codes are asked for, of a success",
    '"$@" > /dev/null',
    ["fill", "--millions", "1"],
    { stdout: "", stderr: "", code: 0 },
    strict,
  ],
  ["stderr is closed", '"$@" 2>&-', ["refuse"], { stdout: refused, stderr: "", code: 0 }],
  ["stdin is closed", '"$@" <&-', ["refuse"], { stdout: refused, stderr: "", code: 0 }],
  [
    "all is closed",
    '"$@" <&- >&- 2>&-',
    ["refuse"],
    { stdout: "", stderr: "", code: 74 },
    {
      except: "on Node: it opens /dev/null in the place of a closed stdout, and cannot tell",
    },
  ],
  [
    "a loop reads stdin",
    'while read -r line; do "$@" > /dev/null; echo "$line"; done',
    ["refuse"],
    { stdout: "a\nb\nc\n", stderr: "", code: 0 },
    {
      input: "a\nb\nc\n",
    },
  ],
];

for (const [name, tool] of Object.entries(ways)) {
  for (const [sentence, script, args, ran, { except = "", ...options } = {}] of rows) {
    if (except.startsWith(name)) continue;
    delivery(`${name}, where ${sentence}`, async () => {
      assert.equal(await run("bash", ["-c", script, "bash", ...tool, ...args], options), ran);
    });
  }

  delivery(`${name}, every byte reaches a shell that sleeps first`, async () => {
    const script = '"$@" | { sleep 0.4; cat; }; exit $PIPESTATUS';
    const { stdout, ...ended } = await run("bash", ["-c", script, "bash", ...tool, "fill", "--millions", "1"]);
    assert.equal({ ...digest(stdout), ...ended }, { ...filled(1), stderr: "", code: 0 });
  });

  delivery(`${name}, every byte reaches a parent that sleeps first`, async () => {
    assert.equal(await runBySleeper([...tool, "fill", "--millions", "1"]), { ...filled(1), code: 0 });
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    delivery(`${name}, ${signal} ends a tool that is busy`, async () => {
      assert.equal(await signalWhileBusy([...tool, "spin"], signal), { stdout: "", signal });
    });

  for (const [sentence, ...how] of [
    ["a slow reader", "blocking", "0.2"],
    ["a non-blocking pipe", "nonblocking", "0"],
    ["a non-blocking pipe with a slow reader", "nonblocking", "0.2"],
  ] as const)
    delivery(`${name}, 100 MB go through ${sentence}`, async () => {
      const { stdout } = await run("python3", [
        "test/fixtures/reader.py",
        ...how,
        ...tool,
        "fill",
        "--millions",
        "100",
      ]);
      const { peak, ...read } = JSON.parse(stdout) as { peak: number; length: number };
      assert.equal(read, { ...filled(100), stderr: "", code: 0 });
      assert.ok(peak < 6 * read.length, `${peak} bytes of memory for ${read.length}`);
    });
}

delivery.run();

function filled(millions: number) {
  const block = Array.from({ length: 100_000 }, (_, index) => index.toString(36).padStart(10, "-")).join("");
  return digest(`{"ok":true,"message":"filled","text":"${block.repeat(millions)}"}\n`);
}

function digest(text: string) {
  return { length: text.length, sha256: createHash("sha256").update(text).digest("hex") };
}

/** Runs a command as a child of this Node, which looks at what it prints only after a while. */
function runBySleeper([command = "", ...args]: string[]) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  setTimeout(() => child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk)), 400);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ ...digest(Buffer.concat(chunks).toString()), code }));
  });
}

/** Sends a signal once the command has said something on stderr. */
function signalWhileBusy([command = "", ...args]: string[], signal: NodeJS.Signals) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.once("data", () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (_, signal) => done({ stdout, signal }));
  });
}
