import arg from "arg";
import { BuildError } from "./errors.ts";
import { type BuildOptions, build, schema } from "./index.ts";
import { type Report, reportTo } from "./report.ts";
import { runtime } from "./runtime.ts";

const HELP = `cfa ${runtime.version} makes one executable of a tool for LLM agents

usage
  cfa build <tool.ts>      make the executable
  cfa schema <tool.ts>     print what \`./tool schema\` would print, without making it
  cfa --help | --version

flags of build
  -o, --outfile PATH       where the executable goes; ./tool for tool.ts
      --bun PATH           the Bun to build with
      --no-bytecode        do not compile the code: smaller, slower to start
      --no-minify          keep the code as it is
      --no-prelude         on Linux: let Bun answer everything, and obey its variables
      --timeout SECONDS    how long the tool may take to load; 10
      --json               print one JSON object instead of the path
      --verbose            say also what keeps the executable from starting faster

package.json may hold defaults for these under "cfa".
`;

const FLAGS = {
  "--help": Boolean,
  "--version": Boolean,
  "--json": Boolean,
  "--verbose": Boolean,
  "--outfile": String,
  "--bun": String,
  "--no-bytecode": Boolean,
  "--no-minify": Boolean,
  "--no-prelude": Boolean,
  "--timeout": String,
  "-h": "--help",
  "-v": "--version",
  "-o": "--outfile",
} as const;

/** Does what a command line says; returns the exit code: 0, 1 where a build failed, 2 where the command line is wrong. */
export async function main(argv: string[]): Promise<number> {
  const report = reportTo(process, { json: argv.includes("--json"), verbose: argv.includes("--verbose") });
  try {
    return await obey(read(argv), report);
  } catch (error) {
    if (error instanceof UsageError) return report.failed(error, "usage_error", 2);
    return report.failed(error, "build_failed", 1);
  }
}

class UsageError extends BuildError {}

function read(argv: string[]): arg.Result<typeof FLAGS> {
  try {
    return arg(FLAGS, { argv });
  } catch (error) {
    if (!(error instanceof arg.ArgError)) throw error;
    throw new UsageError(error.message, { hint: "cfa --help lists the flags" });
  }
}

async function obey({ _: words, ...flags }: arg.Result<typeof FLAGS>, report: Report): Promise<number> {
  const [command, entry, ...more] = words;
  if (flags["--help"]) return report.print(HELP);
  if (flags["--version"]) return report.print(`${runtime.version}\n`);
  if (command !== "build" && command !== "schema") {
    const wrong = command === undefined ? "no command was given" : `there is no command ${JSON.stringify(command)}`;
    throw new UsageError(wrong, { hint: "cfa build <tool.ts>, or cfa --help" });
  }
  if (entry === undefined)
    throw new UsageError(`${command} needs the file of a tool`, { hint: `cfa ${command} tool.ts` });
  if (more.length > 0)
    throw new UsageError(`one tool at a time: ${JSON.stringify(more[0])} is too much`, {
      hint: `cfa ${command} ${entry}`,
    });
  const options = optionsOf(entry, flags, report);
  return command === "build" ? report.built(await build(options)) : report.print(`${await schema(options)}\n`);
}

function optionsOf(entry: string, flags: Partial<arg.Result<typeof FLAGS>>, report: Report): BuildOptions {
  return {
    entry,
    outfile: flags["--outfile"],
    bun: flags["--bun"],
    bytecode: flags["--no-bytecode"] ? false : undefined,
    minify: flags["--no-minify"] ? false : undefined,
    prelude: flags["--no-prelude"] ? false : undefined,
    timeout: readSeconds(flags["--timeout"]),
    onStep: report.step,
    onPrint: report.note,
  };
}

function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (Number(text) > 0) return Number(text);
  throw new UsageError(`--timeout takes a number of seconds, not ${JSON.stringify(text)}`, { hint: "--timeout 30" });
}
