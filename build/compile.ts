import { chmod, copyFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle } from "./bundle.ts";
import { readCarrier, renderCarrier } from "./carrier.ts";
import { runChild } from "./child.ts";
import { BuildError } from "./errors.ts";
import { hostOf } from "./graft.ts";
import type { Plan } from "./plan.ts";

/** The executable, and the module graph where that is still to be put into it; else it is Bun's own work. */
export type Compiled = { executable: string; graph: Uint8Array | undefined };

/**
 * Compiles the entry and the bundle beside it. Bun takes three quarters of its time for two copies of the engine, so where
 * the engine is a program that we can put the graph into, Bun makes that alone while we make the one copy.
 */
export async function compile(entry: string, { folder }: Bundle, plan: Plan): Promise<Compiled> {
  await writeFile(join(folder, "main.js"), entry);
  const host = await hostOf(plan.engine.path);
  if ("refused" in host) {
    const executable = await runCompiler(plan, folder);
    await chmod(executable, modeOfNew());
    return { executable, graph: undefined };
  }
  const executable = join(folder, "executable");
  await writeFile(join(folder, CARRIER), renderCarrier(host.machine), { mode: 0o755 });
  const [carrier] = await Promise.all([
    runCompiler(plan, folder, [`--compile-executable-path=./${CARRIER}`]),
    copyFile(plan.engine.path, executable),
  ]);
  await chmod(executable, modeOfNew()); // not as somebody has protected the engine
  return { executable, graph: await readCarrier(carrier) };
}

/** As linkers have it. */
const modeOfNew = () => 0o777 & ~process.umask();

/** Bun writes the name of what it makes into it; the outfile's own would make it other bytes. */
const NAME = process.platform === "win32" ? "tool.exe" : "tool";
const CARRIER = "carrier";

async function runCompiler(plan: Plan, folder: string, flags: string[] = []): Promise<string> {
  const args = ["build", "main.js", `--outfile=${NAME}`, ...flagsOf(plan), ...flags];
  const { code, stdout, stderr } = await runChild(plan.engine.path, args, { folder });
  const file = join(folder, NAME);
  if (code === 0 && (await stat(file).catch(() => undefined))) return file;
  throw new BuildError(`bun build --compile failed with code ${code}\n${stdout}${stderr}`, {
    hint: "please report this with the source of the tool",
  });
}

/** Bun ignores a flag that it does not know, silently: the verification is what shows that these work. */
function flagsOf({ bytecode, minify }: Plan): string[] {
  return [
    "--compile",
    "--target=bun",
    "--format=esm",
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
