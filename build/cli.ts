import arg from "arg";
import { closest } from "../src/closest.ts";
import { nameOfTarget } from "./engine/targets.ts";
import { BuildError } from "./errors.ts";
import { type BuildOptions, build, inspect, schema } from "./index.ts";
import { type Report, reportTo } from "./report.ts";
import { runtime } from "./runtime.ts";

const HELP = `cfa ${runtime.version} makes one executable of a tool for LLM agents

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

const FLAGS = {
  "--help": Boolean,
  "--version": Boolean,
  "--json": Boolean,
  "--verbose": Boolean,
  "--outfile": String,
  "--outdir": String,
  "--target": [nameOfTarget] as [typeof nameOfTarget],
  "--sbom": Boolean,
  "--licenses": Boolean,
  "--archive": Boolean,
  "--bun": String,
  "--bun-dir": String,
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
    if (error instanceof BuildError) throw new UsageError(error.message, error);
    if (!(error instanceof arg.ArgError)) throw error;
    throw new UsageError(`${error.message}${likelyFor(error)}`, { hint: "cfa --help lists the flags" });
  }
}

function likelyFor({ code, message }: arg.ArgError): string {
  const unknown = /: (--\S+)$/.exec(message)?.[1];
  const [likely] = code === "ARG_UNKNOWN_OPTION" && unknown ? closest(unknown, Object.keys(FLAGS)) : [];
  return likely ? `; did you mean ${likely}?` : "";
}

async function obey({ _: words, ...flags }: arg.Result<typeof FLAGS>, report: Report): Promise<number> {
  const [command, file, ...more] = words;
  if (flags["--help"]) return report.print(HELP);
  if (flags["--version"]) return report.print(`${runtime.version}\n`);
  if (command !== "build" && command !== "schema" && command !== "inspect") {
    const wrong = command === undefined ? "no command was given" : `there is no command ${JSON.stringify(command)}`;
    throw new UsageError(wrong, { hint: "cfa build <tool.ts>, or cfa --help" });
  }
  const [what, example] = command === "inspect" ? ["executable", "./tool"] : ["tool", "tool.ts"];
  if (file === undefined)
    throw new UsageError(`${command} needs the file of ${article(what)}`, { hint: `cfa ${command} ${example}` });
  if (more.length > 0)
    throw new UsageError(`one ${what} at a time: ${JSON.stringify(more[0])} is too much`, {
      hint: `cfa ${command} ${file}`,
    });
  if (command === "inspect") return report.inspected(file, await inspect(file));
  const options = optionsOf(file, flags, report);
  return command === "build" ? report.built(await build(options)) : report.print(`${await schema(options)}\n`);
}

const article = (noun: string) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

function optionsOf(entry: string, flags: Partial<arg.Result<typeof FLAGS>>, report: Report): BuildOptions {
  return {
    entry,
    outfile: flags["--outfile"],
    outdir: flags["--outdir"],
    targets: flags["--target"],
    bun: flags["--bun"],
    bunDir: flags["--bun-dir"],
    bytecode: flags["--no-bytecode"] ? false : undefined,
    minify: flags["--no-minify"] ? false : undefined,
    prelude: flags["--no-prelude"] ? false : undefined,
    sbom: flags["--sbom"],
    licenses: flags["--licenses"],
    archive: flags["--archive"],
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
