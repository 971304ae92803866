import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, inSource, root, run, temporary } from "./harness.ts";

/** Setting up is for the reader's machine and for CI. Nothing else in the documents is left out. */
const setup = ["npm install @code-first-agents/tool zod bun", "npm ci && npm start", "npm ci && npm test"];

/** A block of code: its language and, where it stands for a file, the name of that. */
type Block = { language: string; file: string | undefined; text: string };

/** A line behind `$ `, and what stands below it, where `…` is any text. */
type Command = { line: string; printed: string };

const leftOut: string[] = [];
const path = `${programs()}:/usr/bin:/bin`;

for (const document of ["README.md", "examples/README.md"]) {
  const markdown = readFileSync(join(root, document), "utf8");
  const blocks = blocksOf(markdown);
  const folder = project();
  const reading = suite(document);

  reading("every block of code is a file, commands, or the drawing", () => {
    assert.is(markdown.match(/^ *(```|~~~)/gm)?.length, 2 * blocks.length);
    const others = blocks.filter(({ language, file }) => language !== "sh" && file === undefined);
    assert.equal(
      others.map(({ language }) => language),
      document === "README.md" ? ["text"] : [],
    );
  });

  for (const { language, file, text } of blocks) {
    if (file) reading(`${file} is written`, () => write(join(folder, file), text));
    if (file && text.includes("new Tool("))
      reading(`${file} answers alike in source and compiled`, () => compare(folder, file));
    const network = { isMissing: false }; // what follows such a command needs what it makes
    for (const command of language === "sh" ? commandsOf(text) : []) {
      if (setup.includes(command.line)) leftOut.push(command.line);
      else reading(`$ ${command.line}`, () => check(folder, command, network));
    }
  }

  reading("the code type-checks", () => checkTypes(folder));
  reading.run();
}

const tables = suite("the tables of README.md");
const readme = readFileSync(join(root, "README.md"), "utf8");

tables("what a field accepts is so", async () => {
  const rows = tableUnder(readme, "The field").map(([field = "", flags = "", values = ""]) => ({
    schema: codeIn(field)[0],
    calls: codeIn(flags),
    values: codeIn(values),
  }));
  const file = join(project(), "fields.ts");
  write(file, toolOf(rows.map(({ schema }) => schema)));
  for (const [row, { schema, calls, values }] of rows.entries()) {
    assert.ok(calls.length > 0 && (values.length === 0 || values.length === calls.length), schema);
    for (const [column, call] of calls.entries()) {
      const { stdout } = await shell(dirname(file), `bun fields.ts row${row} ${call}`);
      const answer = JSON.parse(stdout);
      const seen = answer.ok ? JSON.stringify(answer.value) : answer.error;
      assert.is(seen, values[column] ?? "input_validation_error", `${schema} with ${call}: ${stdout}`);
    }
  }
});

tables("every error has the keys that stand there", async () => {
  const causes: Record<string, string[]> = {
    unknown_subcommand: ["multiplx"],
    input_validation_error: ["multiply"],
    schema_violation: ["drift"],
    non_object_return: ["nothing"],
    unexpected_error: ["crash"],
    validation_failed: ["validate", "--path", "x", "--why", "text"],
  };
  const rows = tableUnder(readme, "`error`");
  assert.equal(rows.length, Object.keys(causes).length);
  for (const [code = "", , more = ""] of rows) {
    const error = codeIn(code)[0] ?? "validation_failed"; // the row of a ToolError names no code
    const { stdout } = await inSource("test/fixtures/seed.ts", causes[error]);
    const envelope = JSON.parse(stdout);
    const keys = codeIn(more).filter((key) => !key.endsWith("?") || key.slice(0, -1) in envelope);
    const expected = ["ok", "error", "message", ...keys.map((key) => key.replace("?", ""))];
    assert.equal([envelope.error, ...Object.keys(envelope)], [error, ...expected]);
  }
});

tables("only setting up is left out", () => assert.equal(leftOut, setup));

tables.run();

/** Runs a line of a document and compares: stdout and, where the command fails, stderr. */
async function check(folder: string, { line, printed }: Command, network: { isMissing: boolean }) {
  const { stdout, stderr, code } = await shell(folder, line);
  network.isMissing ||= stderr.includes("npm could not get ");
  if (network.isMissing) return console.log(`left out: ${line}, npm cannot get Bun for other machines`);
  if (printed === "") return assert.is(code, 0, `${line}\n${stdout}${stderr}`);
  const seen = code === 0 ? stdout : stdout + stderr;
  const pattern = printed
    .split("…")
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("[\\s\\S]*?");
  assert.match(seen, new RegExp(`^${pattern}\n$`), `${line}\n${seen}${stderr}`);
}

async function compare(folder: string, file: string) {
  const compiled = `../${basename(file, ".ts")}-compiled`;
  const { stderr, code } = await shell(folder, `cfa build ${file} -o ${compiled}`);
  assert.is(code, 0, stderr);
  for (const args of ["schema", "help", "", "nope", "schema nope"]) {
    const source = await shell(folder, `bun ${file} ${args}`);
    assert.equal(await shell(folder, `${compiled} ${args}`), source);
    assert.equal([source.stderr, source.code], ["", 0]);
    assert.is(typeof JSON.parse(source.stdout).ok, "boolean");
  }
}

/** Checks as an editor would that is set up for Bun. A `tsconfig.json` in the folder itself would change what runs there. */
async function checkTypes(folder: string) {
  const config = join(temporary(), "tsconfig.json");
  const compilerOptions = {
    module: "preserve",
    moduleResolution: "bundler",
    paths: { "@code-first-agents/tool": [join(root, "src/index.ts")] },
    typeRoots: [join(root, "node_modules/@types")],
  };
  const include = [join(folder, "**/*.ts")];
  write(config, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include }));
  const { stdout, code } = await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config]);
  assert.is(code, 0, stdout);
}

const shell = (cwd: string, line: string) =>
  run("sh", ["-c", line], { cwd, env: { PATH: path, CFA_BUN: undefined, NO_COLOR: "1" } });

/** A folder in which the packages are installed and the examples lie, as in a clone. */
function project() {
  const folder = join(temporary(), "project");
  mkdirSync(join(folder, "node_modules/@code-first-agents"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/@code-first-agents/tool"));
  symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
  return folder;
}

/** A folder with what a reader has on the PATH. */
function programs() {
  const folder = temporary();
  symlinkSync(bun, join(folder, "bun"));
  symlinkSync(process.execPath, join(folder, "node"));
  write(join(folder, "cfa"), `#!/bin/sh\nexec node "${root}/bin/cfa" "$@"\n`, 0o755);
  write(join(folder, "npx"), '#!/bin/sh\nexec "$@"\n', 0o755);
  return folder;
}

function write(file: string, text: string, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

function blocksOf(markdown: string): Block[] {
  const blocks = markdown.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = "", file, text = ""]) => ({ language, file, text }));
}

function commandsOf(text: string): Command[] {
  const parts = text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [line = "", ...printed] = part.trimEnd().split("\n");
    return { line: line.replace(/\s+# .*$/, ""), printed: printed.join("\n") };
  });
}

/** The rows, as cells, of the table whose first heading is the given one. */
function tableUnder(markdown: string, heading: string) {
  const tables = markdown.split("\n\n").map((part) => part.trim().split("\n"));
  const table = tables.find(([first = ""]) => first.startsWith("|") && first.split("|")[1]?.trim() === heading);
  const [, , ...rows] = table ?? [];
  return rows.map((row) => row.split("|").slice(1, -1));
}

const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** A tool with one subcommand for each schema, which gives back what its field `n` was read as. */
const toolOf = (schemas: (string | undefined)[]) => `
import { l1Output, Tool } from "@code-first-agents/tool";
import { z } from "zod";
const tool = new Tool({ name: "fields", description: "Gives back what it was given" });
const output = l1Output({ value: z.any() });
${schemas
  .map(
    (schema, row) => `tool.subcommand({
  name: "row${row}",
  description: "reads one field",
  input: z.object({ n: ${schema} }).strict(),
  output,
  handler: ({ n }) => ({ message: "read", value: n }),
});`,
  )
  .join("\n")}
tool.run();
`;
