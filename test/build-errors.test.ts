import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readTargets, targetOf } from "../build/engine/targets.ts";
import { bun } from "./harness.ts";
import { cfa, type Files, folderWith, stateOf, stepsTo, toolWith } from "./project.ts";

const refusing = suite("what cfa refuses before it works");

/** HERE stands for the folder. */
type Row = {
  it: string;
  args: string[];
  says: string;
  files?: Files;
  /** What files alone cannot say. */
  prepare?: (folder: string) => void;
};

const targets = readTargets(["all"], targetOf("linux", "x64", false))
  .map(({ name }) => name)
  .join(", ");

const usage: Row[] = [
  { it: "no command", args: [], says: "no command was given\n  cfa build <tool.ts>, or cfa --help" },
  {
    it: "an unknown command",
    args: ["biuld", "tool.ts"],
    says: 'there is no command "biuld"\n  cfa build <tool.ts>, or cfa --help',
  },
  { it: "no tool", args: ["build"], says: "build needs the file of a tool\n  cfa build tool.ts" },
  {
    it: "no tool to tell the schema of",
    args: ["schema"],
    says: "schema needs the file of a tool\n  cfa schema tool.ts",
  },
  {
    it: "two tools",
    args: ["build", "tool.ts", "b.ts"],
    says: 'one tool at a time: "b.ts" is too much\n  cfa build tool.ts',
  },
  {
    it: "an unknown flag",
    args: ["build", "tool.ts", "--minfy"],
    says: "unknown or unexpected option: --minfy\n  cfa --help lists the flags",
  },
  ...[
    ["--outfil", "--outfile"],
    ["--outfil=x", "--outfile"],
    ["--no-bytcode", "--no-bytecode"],
    ["--targets", "--target"],
  ].map(([flag = "", likely]) => ({
    it: `the flag ${flag}`,
    args: ["build", "tool.ts", flag, "x"],
    says: `unknown or unexpected option: ${flag.split("=")[0]}; did you mean ${likely}?\n  cfa --help lists the flags`,
  })),
  ...[
    ["linux-arm", '"linux-arm"; did you mean "linux-arm64"?'],
    ["nonsense", '"nonsense"'],
  ].map(([target = "", named]) => ({
    it: `the target ${target}`,
    args: ["build", "tool.ts", "--target", "host", "--target", target],
    says: `there is no target ${named}\n  the targets are host, all, ${targets}`,
  })),
  {
    it: "a flag without its value",
    args: ["build", "tool.ts", "-o"],
    says: "option requires argument: -o (alias for --outfile)\n  cfa --help lists the flags",
  },
  ...["abc", "0", "", "NaN"].map((text) => ({
    it: `a timeout of ${JSON.stringify(text)}`,
    args: ["build", "tool.ts", "--timeout", text],
    says: `--timeout takes a number of seconds, not ${JSON.stringify(text)}\n  --timeout 30`,
  })),
];

const another = "name another file with --outfile";
const elsewhere = "name another path with --outfile";
const toOut = ["build", "tool.ts", "-o", "out"];

const outfiles: Row[] = [
  {
    it: "the tool as outfile",
    args: ["build", "tool.ts", "-o", "./tool.ts"],
    says: `the outfile "HERE/tool.ts" is the tool itself\n  ${another}`,
  },
  {
    it: "the tool as outfile, through a link",
    args: toOut,
    prepare: (folder) => symlinkSync("tool.ts", join(folder, "out")),
    says: `the outfile "HERE/out" is the tool itself\n  ${another}`,
  },
  {
    it: "a link to the tool, with the tool as outfile",
    args: ["build", "link.ts", "-o", "tool.ts"],
    prepare: (folder) => symlinkSync("tool.ts", join(folder, "link.ts")),
    says: `the outfile "HERE/tool.ts" is the tool itself\n  ${another}`,
  },
  {
    it: "a folder as outfile",
    args: toOut,
    files: { "out/file": "" },
    says: 'the outfile "HERE/out" is a folder\n  name a file with --outfile',
  },
  {
    it: "an empty folder as outfile",
    args: toOut,
    prepare: (folder) => mkdirSync(join(folder, "out")),
    says: 'the outfile "HERE/out" is a folder\n  name a file with --outfile',
  },
  {
    it: "an outfile without a name",
    args: ["build", "tool.ts", "-o", ""],
    says: 'the outfile "HERE" is a folder\n  name a file with --outfile',
  },
  {
    it: "a FIFO as outfile",
    args: toOut,
    prepare: (folder) => execFileSync("mkfifo", [join(folder, "out")]),
    says: 'the outfile "HERE/out" is no regular file\n  name a file with --outfile',
  },
  {
    it: "an outfile in a folder that is a file",
    args: ["build", "tool.ts", "-o", "file/out"],
    files: { file: "" },
    says: `cannot write "HERE/file/out": ENOTDIR\n  ${elsewhere}`,
  },
];

const entry = "name the file that calls `new Tool({ … })`";
const options =
  "its options are outfile, outdir, targets, bun, bunDir, bytecode, minify, prelude, sbom, licenses, archive, timeout";

const plans: Row[] = [
  { it: "a file that does not exist", args: ["build", "no.ts"], says: `no such file: "no.ts"\n  ${entry}` },
  { it: "a file below a file", args: ["build", "tool.ts/no.ts"], says: `no such file: "tool.ts/no.ts"\n  ${entry}` },
  { it: "a folder", args: ["build", "."], says: `a folder: "."\n  name the tool's file` },
  { it: "an empty name", args: ["build", ""], says: `a folder: ""\n  name the tool's file` },
  {
    it: "a FIFO",
    args: ["build", "fifo.ts"],
    prepare: (folder) => execFileSync("mkfifo", [join(folder, "fifo.ts")]),
    says: `no regular file: "fifo.ts"\n  name the tool's file`,
  },
  {
    it: "a Bun that is too old",
    args: ["build", "tool.ts", "--bun", "./bun"],
    prepare: (folder) => script(join(folder, "bun"), "echo 1.3.2"),
    says: 'Bun 1.3.2 at "HERE/bun" is too old\n  cfa needs Bun 1.4 or later: npm install --save-dev bun@latest',
  },
  ...["echo hello", "exit 1", "echo 1.4.5; exit 3"].map((command) => ({
    it: `a Bun that does ${command}`,
    args: ["build", "tool.ts", "--bun", "./bun"],
    prepare: (folder: string) => script(join(folder, "bun"), command),
    says: 'no Bun that runs at "HERE/bun"\n  name the bun executable itself with --bun PATH or CFA_BUN',
  })),
  {
    it: "a Bun that is no program",
    args: ["build", "tool.ts", "--bun=tool.ts"],
    says: 'no Bun that runs at "HERE/tool.ts"\n  name the bun executable itself with --bun PATH or CFA_BUN',
  },
  {
    it: "an endless timeout",
    args: ["build", "tool.ts", "--timeout", "Infinity"],
    says: "a timeout of Infinity seconds\n  give a number of seconds, at most 86400",
  },
  ...[
    ['{ "cfa": { "outfiel": "x" } }', 'there is no option "outfiel"'],
    ['{ "cfa": { "constructor": "x" } }', 'there is no option "constructor"'],
    ['{ "cfa": { "minify": "no" } }', '"minify" is no boolean'],
    ['{ "cfa": { "timeout": "20" } }', '"timeout" is no number'],
    ['{ "cfa": "x" }', "it is no object"],
    ['{ "cfa": ["x"] }', "it is no object"],
    ['{ "cfa": null }', "it is no object"],
  ].map(([json = "", why]) => ({
    it: `the package.json ${json}`,
    args: ["build", "tool.ts"],
    files: { "package.json": json },
    says: `the key "cfa" in package.json: ${why}\n  ${options}`,
  })),
  {
    it: "a package.json that is no JSON",
    args: ["build", "tool.ts"],
    files: { "package.json": '{ "name": ' },
    says: 'cannot read "HERE/package.json"\n  mend its JSON',
  },
];

for (const [rows, code, before] of [
  [usage, 2, ""],
  [plans, 1, stepsTo("plan")],
  [outfiles, 1, stepsTo("plan")],
] as const) {
  for (const { it, args, says, files = {}, prepare } of rows) {
    refusing(it, async () => {
      const folder = folderWith({ "tool.ts": toolWith(), tool: "what was here before", ...files });
      prepare?.(folder);
      const state = stateOf(folder);
      const stderr = `${before}cfa: ${says.replaceAll("HERE", folder)}\n`;
      assert.equal(await cfa(folder, args), { stdout: "", stderr, code });
      assert.equal(stateOf(folder), state);
    });
  }
}

refusing("with --json, an envelope and nothing else", async () => {
  const folder = folderWith({});
  const failed = { ok: false, error: "build_failed", message: 'no such file: "no.ts"', hint: entry };
  assert.equal(await cfa(folder, ["build", "no.ts", "--json"]), {
    stdout: `${JSON.stringify(failed)}\n`,
    stderr: "",
    code: 1,
  });
  const usage = {
    ok: false,
    error: "usage_error",
    message: "build needs the file of a tool",
    hint: "cfa build tool.ts",
  };
  assert.equal(await cfa(folder, ["build", "--json"]), { stdout: `${JSON.stringify(usage)}\n`, stderr: "", code: 2 });
});

refusing("the same on Bun", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  for (const args of [
    ["build"],
    ["build", "no.ts"],
    ["build", "tool.ts", "--minfy"],
    ["build", "tool.ts", "-o", "tool.ts"],
  ]) {
    const onBun = await cfa(folder, args, { engine: bun });
    assert.equal(onBun, await cfa(folder, args));
    assert.not.equal(onBun.stderr, "");
  }
});

refusing.run();

function script(path: string, command: string) {
  writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
}
