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
export async function compile({ target, base }: Making, bundle: Bundle, plan: Plan): Promise<Compiled> {
  const { folder } = bundle;
  const own = join(folder, target.name);
  await mkdir(own);
  const file = join(own, `tool${target.extension}`); // whose name Bun writes into it: that of the outfile would be other bytes
  const host = await hostOf(base.path);
  if ("refused" in host) {
    const isItself = base.path === plan.engine.path; // which may be a script that starts Bun
    await runCompiler(plan, bundle, file, isItself ? {} : { target: target.bun, executablePath: base.path });
    await chmod(file, modeOfNew());
    return { executable: file, graph: undefined };
  }
  const executable = join(own, "executable");
  const carrier = join(own, "carrier");
  await writeFile(carrier, renderCarrier(host), { mode: 0o755 });
  await Promise.all([
    runCompiler(plan, bundle, file, { target: target.bun, executablePath: carrier }),
    copyFile(base.path, executable),
  ]);
  await chmod(executable, modeOfNew()); // not as somebody has protected the engine
  return { executable, graph: await readCarrier(file) };
}

/** As linkers have it. */
const modeOfNew = () => 0o777 & ~process.umask();

/** Seconds that Bun may take. */
const PATIENCE = 600;

async function runCompiler(plan: Plan, bundle: Bundle, file: string, own: Record<string, string>): Promise<void> {
  const { folder } = bundle;
  const script = `${file}.build.js`;
  const options = optionsOf(plan, bundle, { ...own, outfile: relative(folder, file).replaceAll("\\", "/") });
  await writeFile(
    script,
    `const { success, logs } = await Bun.build(${JSON.stringify(options)});
for (const log of logs) console.error(String(log));
process.exit(success ? 0 : 1);
`,
  );
  const { code, stdout, stderr } = await runChild(plan.engine.path, ["--no-install", script], {
    folder,
    timeout: PATIENCE,
  });
  if (code === 0 && (await stat(file).catch(() => undefined))) return;
  throw new BuildError(`bun build --compile failed with code ${code}\n${stdout}${stderr}`, {
    hint: "please report this with the source of the tool",
  });
}

/** Each module stays one: a bundler would run some in another order, and give names away. The verification shows that these options work. */
function optionsOf({ bytecode, minify }: Plan, { modules, framework, hasAssets }: Bundle, own: Record<string, string>) {
  return {
    entrypoints: ["main.js", "lines.js", ...framework.keys(), ...modules].map((name) => `./${name}`),
    root: ".",
    target: "bun",
    format: "esm",
    external: ["*"],
    sourcemap: "linked", // to the modules of the folder, in which lines are those of the source
    define: { "process.env.NODE_ENV": "process.env.NODE_ENV" }, // else frozen to that of the build
    minify: { whitespace: minify, syntax: false, identifiers: false },
    bytecode,
    optimize: { bytecode: false }, // the passes take a quarter of the build, and no call is faster for them
    compile: {
      ...own,
      assets: ["record.bin", ...(hasAssets ? ["assets/app"] : [])],
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  };
}
