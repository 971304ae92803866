import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle } from "./bundle.ts";
import { runChild } from "./child.ts";
import { BuildError } from "./errors.ts";
import type { Plan } from "./plan.ts";

/** Makes an executable of the entry and the bundle beside it; returns where it is. */
export async function compile(entry: string, { folder }: Bundle, plan: Plan): Promise<string> {
  await writeFile(join(folder, "main.js"), entry);
  const { code, stdout, stderr } = await runChild(plan.engine.path, ["build", "main.js", ...flagsOf(plan)], { folder });
  const executable = join(folder, NAME);
  if (code === 0 && (await stat(executable).catch(() => undefined))) return executable;
  throw new BuildError(`bun build --compile failed with code ${code}\n${stdout}${stderr}`, {
    hint: "is the disk full? if not, please report this with the source of the tool",
  });
}

/** Bun writes the name of what it makes into it; the outfile's own would make it other bytes. */
const NAME = process.platform === "win32" ? "tool.exe" : "tool";

/** Bun ignores a flag that it does not know, silently: the verification is what shows that these work. */
function flagsOf({ bytecode, minify }: Plan): string[] {
  return [
    "--compile",
    "--target=bun",
    "--format=esm",
    "--sourcemap=linked", // to the bundle; from there the entry's own maps lead on
    `--outfile=${NAME}`,
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
