/** Draws numbers below a limit, the same ones for the same seed. */
export type Draw = <T>(list: readonly T[]) => T;

/** https://en.wikipedia.org/wiki/Xorshift */
export function drawsOf(seed: number): Draw {
  let state = (seed + 1) * 0x9e3779b1;
  const next = () => {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    return state >>> 0;
  };
  for (let at = 0; at < 8; at++) next();
  return (list) => list[next() % list.length] as never;
}

/** The source of a tool that wraps, names, filters, registers and runs in one of many ways, and decides by what it is given. */
export function toolOf(draw: Draw): string {
  const words = draw(WORDS);
  const wrap = draw(WRAPS);
  return `import { l1Output, Tool, ToolError } from "@code-first-agents/tool";
import { z } from "zod";
${words.imports}
const env = ${draw(["process.env", "Bun.env", "import.meta.env", "{ ...process.env }"])};
${wrap.head}
const tool = new ${wrap.name}({ name: "t", description: "Is generated"${draw(["", ', version: "1.2.3"'])} });
${wrap.after}
const value = z.any();
tool.subcommand({
  name: "list",
  description: "Lists",
  input: z.object({ debug: z.boolean().optional() }),
  output: l1Output({ value }),
  handler: (value) => ({ message: "listed", value }),
});
tool.dataSubcommand({
  name: "add",
  description: "Adds",
  input: z.object({ n: z.number().default(1), tag: z.array(z.string()).optional() })${draw(["", ".strict()"])},
  output: { value },
  handler: (input) => ({ message: \`added \${env.MODE ?? "nothing"}\`, value: input }),
});
${several(draw, REGISTRATIONS)}
${drawn(draw, MODES)}
let line: string[] | undefined = ${draw([words.list, words.list, "undefined"])};
if (line) {
  ${several(draw, CHANGES)}
}
${draw(RUNS)}
`;
}

/** Two thirds of them. */
const drawn = (draw: Draw, list: readonly string[]) => draw([draw(list), draw(list), ""]);
const several = (draw: Draw, list: readonly string[]) =>
  list
    .filter(() => draw([true, false, false]))
    .map((text) => text)
    .join("\n");

/** Ways to have the words of the command line, as a list of one's own. */
const WORDS = [
  { imports: "", list: "process.argv.slice(2)" },
  { imports: "", list: "Bun.argv.slice(2)" },
  { imports: 'import { argv } from "node:process";', list: "argv.slice(2)" },
  { imports: 'import proc from "node:process";', list: "[...proc.argv].slice(2)" },
  { imports: "const { argv: [, , ...given] } = process;", list: "given" },
  { imports: 'import { argv } from "bun";', list: "argv.filter((_, at) => at > 1)" },
];

const GUARD = 'if (env.TOKEN === "none") throw new ToolError("no_token", "set TOKEN");';

const WRAPS = [
  { name: "Tool", head: "", after: "" },
  {
    name: "Guarded",
    head: `class Guarded extends Tool {
  override subcommand(spec: any): this {
    return super.subcommand({ ...spec, handler: (input: any) => { ${GUARD} return spec.handler(input); } });
  }
}`,
    after: "",
  },
  {
    name: "Tool",
    head: "",
    after: `const register = tool.dataSubcommand.bind(tool) as any;
tool.dataSubcommand = ((spec: any) => register({ ...spec, description: \`\${spec.description}!\` })) as any;`,
  },
];

const more = (name: string) =>
  `tool.dataSubcommand({ name: "${name}", description: "More", input: z.object({}), output: {}, handler: () => ({ message: "${name}" }) });`;

const REGISTRATIONS = [
  `if (process.argv.includes("--debug")) ${more("dump")}`,
  `if (env.MORE) ${more("more")}`,
  `if (Number(env.LEVEL ?? 0) > 1) ${more("level")}`,
  `if (Bun.argv.length > 3) ${more("long")}`,
  `for (const name of Object.keys(process.env)) if (name === "PLUGIN_A") ${more("plugin")}`,
  `for (const name of ["one", "two"]) { ${more("NAME").replaceAll('"NAME"', "name")} }`,
];

/** What a tool may do instead of being one. */
const MODES = [
  'if (process.argv[2] === "raw") { console.log("raw"); process.exit(0); }',
  'if (process.argv[2] === "raw") { process.stdout.write("raw\\n"); process.exit(3); }',
  'if (env.MODE === "raw") { console.log("by a variable"); process.exit(0); }',
  'if (process.argv.includes("--version")) { console.log("own version"); process.exit(0); }',
  'if (process.argv[2] === "raw") for await (const text of console) { console.log(text.toUpperCase()); process.exit(0); }',
];

const CHANGES = [
  'if (line[0] === "ls") line = ["list", ...line.slice(1)];',
  'line = line.filter((word) => word !== "--quiet");',
  'if (line.length === 0) line = ["list"];',
  'if (env.MODE === "add") line.unshift("add");',
  'if (line[0]?.startsWith("@")) line[0] = line[0].slice(1);',
];

const RUNS = [
  "tool.run(line);",
  "await tool.run(line);",
  "if (import.meta.main) tool.run(line);",
  "setTimeout(() => tool.run(line), 1);",
  "Promise.resolve().then(() => tool.run(line));",
  "async function main() { await null; await tool.run(line); }\nmain();",
  "if (line) tool.run(line); else tool.run();",
  "export default tool;\ntool.run(line);",
];

export const LINES = [
  "",
  "list",
  "list --debug",
  "add --n 2 --tag a --tag b",
  "add --n x",
  "ls",
  "--quiet add",
  "@add --n=3",
  "raw",
  "dump --debug",
  "more",
  "level",
  "long x",
  "plugin",
  "two",
  "schema",
  "schema add",
  "help",
  "help list --json",
  "add --help",
  "--version",
  "version",
  "nope",
  "ad",
];

export const ENVIRONMENTS: Record<string, string>[] = [
  {},
  { MODE: "add", TOKEN: "none", LEVEL: "2" },
  { MODE: "raw", MORE: "1", PLUGIN_A: "1" },
];
