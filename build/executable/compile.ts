import { chmod, copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { BuildError } from "../errors.ts";
import type { Plan } from "../plan.ts";
import type { Making } from "../release/products.ts";
import { runChild } from "../system/child.ts";
import { readCarrier, renderCarrier } from "./carrier.ts";
import { hostOf } from "./graft.ts";

/** The executable, and the module graph where that is still to be put into it; else it is Bun's own work. */
export type Compiled = { executable: string; graph: Uint8Array | undefined };

/**
 * Compiles what was written for one target. Bun takes three quarters of its time for two copies of the engine, so where
 * the engine is a program that we can put the graph into, Bun makes that alone while we make the one copy.
 */
export async function compile({ target, base }: Making, { folder }: Bundle, plan: Plan): Promise<Compiled> {
  const own = join(folder, target.name);
  await mkdir(own);
  const file = join(own, `tool${target.extension}`); // whose name Bun writes into it: that of the outfile would be other bytes
  const host = await hostOf(base.path);
  if ("refused" in host) {
    const isItself = base.path === plan.engine.path; // which may be a script that starts Bun
    const other = [`--target=${target.bun}`, `--compile-executable-path=${base.path}`];
    await runCompiler(plan, folder, file, isItself ? ["--target=bun"] : other);
    await chmod(file, modeOfNew());
    return { executable: file, graph: undefined };
  }
  const executable = join(own, "executable");
  const carrier = join(own, "carrier");
  await writeFile(carrier, renderCarrier(host.machine), { mode: 0o755 });
  await Promise.all([
    runCompiler(plan, folder, file, [`--target=${target.bun}`, `--compile-executable-path=${carrier}`]),
    copyFile(base.path, executable),
  ]);
  await chmod(executable, modeOfNew()); // not as somebody has protected the engine
  return { executable, graph: await readCarrier(file) };
}

/** As linkers have it. */
const modeOfNew = () => 0o777 & ~process.umask();

async function runCompiler(plan: Plan, folder: string, file: string, flags: string[]): Promise<void> {
  const args = ["build", "main.js", `--outfile=${relative(folder, file)}`, ...flagsOf(plan), ...flags];
  const { code, stdout, stderr } = await runChild(plan.engine.path, args, { folder });
  if (code === 0 && (await stat(file).catch(() => undefined))) return;
  throw new BuildError(`bun build --compile failed with code ${code}\n${stdout}${stderr}`, {
    hint: "please report this with the source of the tool",
  });
}

/** Bun ignores a flag that it does not know, silently: the verification is what shows that these work. */
function flagsOf({ bytecode, minify }: Plan): string[] {
  return [
    "--compile",
    "--format=esm",
    "--splitting", // what a run does not come to is not loaded
    "--sourcemap=linked", // to the bundle; from there the entry's own maps lead on
    "--define=process.env.NODE_ENV=process.env.NODE_ENV", // else frozen to that of the build
    "--no-optimize-bytecode", // the passes take a quarter of the build, and no call is faster for them
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-tsconfig",
    "--no-compile-autoload-package-json",
    ...(bytecode ? ["--bytecode"] : []),
    ...(minify ? ["--minify-syntax", "--minify-whitespace"] : []),
  ];
}
