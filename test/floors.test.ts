import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root } from "./harness.ts";
import { functionsIn, isOnlyTypes, touches } from "./source.ts";

const floors = suite("the floors");

/** From the ground up; what is not named stands on the first floor. Types may be imported from anywhere: they vanish. */
const FLOORS = [
  ["src/errors", "src/types", "build/errors"],
  [],
  ["src/tool", "src/entry", "src/observe", "build/index"],
  ["src/index", "build/cli"],
];

/** What the build takes from the runtime beside types, and why. */
const DOORS: Record<string, string> = {
  "src/manifest": "the command lines that are answered before JavaScript starts",
  "src/closest": "which target or flag was probably meant",
  "src/frames": "the stacks of a build lead to the source as those of an executable do",
};

/** Who touches the process, and for what. */
const PROCESS: Record<string, string> = {
  "src/stdout": "takes stdout",
  "src/endings": "the command line, and every ending",
  "src/entry": "whether a variable is set that the tool reads",
  "src/libc": "which C library there is",
  "src/observe": "stands in for the endings while a build looks",
  "src/disturb": "puts another moment and machine in its place while a build looks",
  "src/doors": "what tells of the machine, to be watched while a build looks",
  "src/environment": "stands before the environment while a build looks",
  "src/words": "stands before the command line while a build looks",
  "src/document": "reads stdin",
  "src/commonjs": "the engine's modules, of which some are asked for by name",
  "src/closed": "the engine's modules, without what an import of them costs",
  "build/cli": "hands the streams to the report",
  "build/engine/bun": "looks for Bun: CFA_BUN, PATH, itself",
  "build/system/child": "ends what it started, and keeps the environment from it",
  "build/evaluate/look": "tells a child whose it is",
  "build/system/owner": "who is alive",
  "build/system/scratch": "signals",
  "build/engine/cache": "where a cache is by the custom of the system",
  "build/engine/npm": "npm goes by the user's settings",
  "build/release/products": "the platform, of an engine that is a script",
  "build/executable/compile": "the permissions that new files have",
};

/** What is imported from outside. */
const PACKAGES: Record<string, RegExp> = {
  src: /^(zod(\/.+)?|zod-to-json-schema|node:(fs|fs\/promises|module|process))$/,
  build: /^(esbuild|arg|pkg-types|node:.+)$/,
};

const LONG_FUNCTIONS: Record<string, string> = {
  "src/accept.ts accept": "one case for each kind of schema",
  "src/closed.ts close": "a worker is given its text, so that nothing may stand around it",
  "src/json.ts renderJson": "four renderers that share where they are",
  "src/plain.ts kindOf": "one case for each kind of schema",
  "src/schema3.ts repair": "one case for each kind of schema",
  "src/schema4.ts repair": "one case for each kind of schema",
};

const LONG_FILES: Record<string, string> = {
  "test/argv-property.both.test.ts": "the grammar, written down a second time",
  "test/argv.both.test.ts": "a table of command lines",
  "test/build-same.test.ts": "tables of guards, packages and sloppy code",
  "test/closed.test.ts": "a table of ways to ask for a module",
  "test/coerce.both.test.ts": "a table of texts",
  "test/coerced.both.test.ts": "a table of schemas that hold another one",
  "test/fields.test.ts": "a table of command lines",
  "test/floors.test.ts": "tables of what stands where",
  "test/late.test.ts": "a table of sources",
  "test/plain.both.test.ts": "a table of schemas",
  "test/prelude.test.ts": "a table of variables, and one of places",
  "test/types.test.ts": "a line for each way to go wrong",
};

type Graph = Record<string, { imports: { path: string; kind: string; external?: boolean | undefined }[] }>;

const runtime = ["index", "entry", "closed", "commonjs", "lazy", "observe"].map((name) => `src/${name}.ts`);
const entryPoints = [...runtime, "build/cli.ts", "build/index.ts"];
const { metafile } = await esbuild.build({
  absWorkingDir: root,
  entryPoints,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  packages: "external",
  loader: { ".bin": "binary" },
  tsconfigRaw: {},
  outdir: "nowhere",
  write: false,
  metafile: true,
});
const graph: Graph = metafile.inputs;
const files = ["src", "build", "test", "scripts", "examples"].flatMap(sourcesIn);

floors("every file of the runtime and the build is in the picture", () => {
  const ours = files.filter((file) => /^(src|build)\//.test(file) && !isOnlyTypes(read(file)));
  assert.equal(
    ours.filter((file) => !(file in graph)),
    [],
  );
});

floors("imports go down, never in a circle", () => assert.equal(faultsOf(graph), []));

floors("what starts an executable brings neither Zod nor the tool", () => {
  const loaded = closureOf("src/entry.ts", graph);
  assert.equal(
    loaded.filter((path) => /^zod|^src\/(tool|schema|check)/.test(path)),
    [],
  );
});

floors("the process is touched where it says so", () => {
  const sources = Object.keys(graph).filter((file) => file.endsWith(".ts"));
  const touching = sources.filter((file) => touches(read(file)) || importsOf(file, graph).includes("node:process"));
  assert.equal(touching.map(nameOf).sort(), Object.keys(PROCESS).sort());
});

floors("build() fits on one screen", () => {
  const [build] = functionsIn(read("build/index.ts")).filter(({ name }) => name === "build");
  assert.ok(build && build.lines <= 40, JSON.stringify(build));
});

floors("functions over 40 lines have a reason", () => {
  const long = files
    .filter((file) => /^(src|build|scripts|examples)\//.test(file))
    .flatMap((file) =>
      functionsIn(read(file))
        .filter(({ lines }) => lines > 40)
        .map(({ name }) => `${file} ${name}`),
    );
  assert.equal(
    long.filter((name) => !(name in LONG_FUNCTIONS)),
    [],
  );
});

floors("files over 250 lines have a reason", () => {
  const long = files.filter((file) => read(file).split("\n").length > 251);
  assert.equal(
    long.filter((file) => !(file in LONG_FILES)),
    [],
  );
});

type Bad = [sentence: string, edges: string[], faults: string[]];

const bad: Bad[] = [
  ["nothing", ["src/tool > src/json", "src/json > src/errors", "build/cli > build/index"], []],
  ["an import that goes up", ["src/json > src/tool"], ["src/json goes up to src/tool"]],
  ["an import from the ground", ["build/errors > build/plan"], ["build/errors goes up to build/plan"]],
  ["a circle", ["src/a > src/b", "src/b > src/a"], ["src/a goes in a circle", "src/b goes in a circle"]],
  [
    "a longer circle, and not who leads to it",
    ["src/a > src/b", "src/b > src/c", "src/c > src/a", "src/tool > src/a"],
    ["src/a goes in a circle", "src/b goes in a circle", "src/c goes in a circle"],
  ],
  ["a file that imports itself", ["src/a > src/a"], ["src/a goes in a circle"]],
  ["a runtime that needs the build", ["src/a > build/b"], ["src/a belongs to the runtime, and imports build/b"]],
  ["a build that goes in without a door", ["build/a > src/b"], ["build/a goes to src/b, which is no door"]],
  ["a package that is not ours to use", ["src/a > left-pad"], ["src/a imports left-pad"]],
  ["a package of the build in the runtime", ["src/a > esbuild"], ["src/a imports esbuild"]],
];

for (const [sentence, edges, faults] of bad) {
  floors(`in a made-up picture, finds ${sentence}`, () => assert.equal(faultsOf(graphOf(edges)), faults));
}

floors("finds long functions, whatever their form", () => {
  const body = (lines: number, indent = "") => `${`${indent}  f();\n`.repeat(lines)}${indent}}`;
  const source = [
    `export async function a() {\n${body(3)}`,
    `const b = (x: number): number => {\n${body(4)};`,
    `class C {\n  #c(): void {\n${body(5, "  ")}\n\n  static {\n${body(1, "  ")}\n}`,
    `if (a) {\n${body(6)}`,
    `function d(\n  x: number,\n): void {\n${body(2)}`,
  ].join("\n\n");
  assert.equal(
    functionsIn(source).map(({ name, lines }) => [name, lines]),
    [
      ["a", 5],
      ["b", 6],
      ["#c", 7],
      ["d", 6],
    ],
  );
});

floors("finds who touches the process, not who speaks of it", () => {
  assert.equal(
    ["process.exit(1)", "const { env } = process;", "f(process)"].map((source) => touches(source)),
    [true, true, true],
  );
  assert.equal(
    ['f("process.exit")', "// process.exit()", "(process: string) => process.length", "run.process.exit"].map(
      (source) => touches(source),
    ),
    [false, false, false, false],
  );
});

floors.run();

function faultsOf(graph: Graph): string[] {
  return Object.keys(graph).flatMap((file) => {
    const [from, folder = ""] = [nameOf(file), file.split("/")[0]];
    const circle = importsOf(file, graph).some((path) => closureOf(path, graph).includes(file));
    return [
      ...importsOf(file, graph).flatMap((path) => faultOf(from, folder, nameOf(path))),
      ...(circle ? [`${from} goes in a circle`] : []),
    ];
  });
}

function faultOf(from: string, folder: string, to: string): string[] {
  if (!/^(src|build)\//.test(to)) return PACKAGES[folder]?.test(to) ? [] : [`${from} imports ${to}`];
  if (folder === "src" && to.startsWith("build/")) return [`${from} belongs to the runtime, and imports ${to}`];
  if (folder === "build" && to.startsWith("src/"))
    return to in DOORS ? [] : [`${from} goes to ${to}, which is no door`];
  return floorOf(to) > floorOf(from) ? [`${from} goes up to ${to}`] : [];
}

function floorOf(name: string): number {
  const floor = FLOORS.findIndex((names) => names.includes(name));
  return floor < 0 ? 1 : floor;
}

/** All that is loaded with a file, itself included; what is imported later by `import()` is not. */
function closureOf(file: string, graph: Graph, seen: string[] = []): string[] {
  if (seen.includes(file)) return seen;
  const static_ = (graph[file]?.imports ?? []).filter(({ kind }) => kind !== "dynamic-import");
  return static_.reduce((all, { path }) => closureOf(path, graph, all), [...seen, file]);
}

function importsOf(file: string, graph: Graph): string[] {
  return (graph[file]?.imports ?? []).map(({ path }) => path);
}

function graphOf(edges: string[]): Graph {
  const path = (name: string) => (name.includes("/") ? `${name}.ts` : name);
  const pairs = edges.map((edge) => edge.split(" > ").map(path));
  const files = [...new Set(pairs.flat())].filter((file) => file.includes("/"));
  const importsFrom = (file: string) =>
    pairs.filter(([from]) => from === file).map(([, to = ""]) => ({ path: to, kind: "import-statement" }));
  return Object.fromEntries(files.map((file) => [file, { imports: importsFrom(file) }]));
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts"));
  return names.map((name) => `${folder}/${name}`);
}

function nameOf(path: string): string {
  return path.replace(/\.ts$/, "");
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
