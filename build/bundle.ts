import { dirname, resolve } from "node:path";
import * as esbuild from "esbuild";
import { BuildError, quote } from "./errors.ts";
import type { Plan } from "./plan.ts";
import { addons, MAIN, mainOf, runtimeFor } from "./plugins.ts";
import { runtime } from "./runtime.ts";

/** The tool with its runtime and its dependencies, as modules of one folder. */
export type Bundle = {
  /** Holds `tool.js`, which runs the tool, `entry.js`, the runtime's own entry, and what both share. */
  folder: string;
  warnings: string[];
};

export async function bundle(plan: Plan, folder: string): Promise<Bundle> {
  const { warnings, metafile } = await esbuild.build(optionsOf(plan, folder)).catch((error: unknown) => {
    throw isBuildFailure(error) ? failureOf(error) : error;
  });
  await refuseSource(plan, Object.keys(metafile.inputs));
  return { folder, warnings: warnings.map(({ text }) => text) };
}

function optionsOf({ entry, root, tsconfig, minify }: Plan, outdir: string) {
  return {
    absWorkingDir: root,
    entryPoints: { tool: entry, entry: runtime.entry, observe: runtime.observe },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "esnext",
    conditions: ["bun"],
    external: ["bun", "bun:*"],
    loader: { ".bin": "binary", ".wasm": "binary" },
    ...(tsconfig ? { tsconfig } : { tsconfigRaw: {} }),
    define: { "import.meta.main": MAIN },
    banner: { js: `var ${MAIN} = false;` },
    minifySyntax: minify,
    minifyWhitespace: minify,
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    logOverride: { "ignored-bare-import": "silent" },
    plugins: [mainOf(entry), runtimeFor(dirname(entry)), addons],
  } satisfies esbuild.BuildOptions;
}

/** A build that writes over one of its own sources would be its last. */
async function refuseSource({ outfile, root }: Plan, inputs: string[]): Promise<void> {
  if (inputs.some((input) => resolve(root, input) === outfile))
    throw new BuildError(`the outfile ${quote(outfile)} is a source of the tool`, { hint: "name another file with --outfile" });
}

function failureOf({ errors }: esbuild.BuildFailure): BuildError {
  const [first] = errors;
  const hint = typeof first?.detail === "string" ? first.detail : "mend it in the source";
  const frames = esbuild.formatMessagesSync(errors.slice(0, 5), { kind: "error" });
  return new BuildError(`the tool does not bundle\n\n${frames.join("").trimEnd()}\n`, { hint });
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}
