import { dirname, join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import * as esbuild from "esbuild";
import type { Graph } from "../graph/request.ts";
import { runtime } from "../runtime.ts";
import { nameChunks } from "./chunks.ts";
import { withoutConverter, ZOD3 } from "./zod3.ts";

/**
 * Bundles what is ours in an executable, the runtime and Zod, as modules by their names: one for each file that something
 * starts with, one for each module of Zod that is imported, and what they share. They tell nothing of where they were made.
 */
export async function bundleFramework(
  zod: Graph["zod"],
  index: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const modules = new Map([
    ...zod.map((one) => [`cfa:${one.module}`, renderZod(one)] as const),
    ...zod.map((one) => [`cfa:lean/${one.module}`, renderLean(one)] as const),
    [RUNTIMES, renderRuntimes(index)],
  ]);
  const entries = [...modules.keys()].filter((name) => !name.startsWith("cfa:lean/"));
  const outdir = join(runtime.folder, ".cfa");
  const { outputFiles } = await esbuild.build({
    absWorkingDir: runtime.folder,
    entryPoints: [
      ...startsIn(texts).map((name) => ({ in: runtime[name], out: name })),
      ...entries.map((name) => ({ in: name, out: name.slice("cfa:".length) })),
    ],
    outdir,
    chunkNames: "chunk-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "esnext",
    external: ["bun", "bun:*"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    define: { "import.meta.main": "false" },
    write: false,
    logLevel: "silent",
    tsconfigRaw: {},
    plugins: [zodFrom(modules, index), ...(zod.some(({ path }) => ZOD3.test(path)) ? [] : [withoutConverter])],
  });
  return nameChunks(outputFiles.map(({ path, text }) => ({ name: relative(outdir, path).replaceAll(sep, "/"), text })));
}

/** The files of the runtime that something starts with: some always, others where the modules of a tool import them. */
function startsIn(texts: readonly string[]) {
  const asked = (["closed", "commonjs", "lazy"] as const).filter((name) =>
    texts.some((text) => text.includes(`/${name}.js"`)),
  );
  return ["index", "entry", "observe", ...asked] as const;
}

/** What of Zod the runtime calls; it loads that when it first does. */
const CALLED = ["literal", "object", "safeParseAsync", "string"];
const RUNTIMES = "cfa:zod-runtime";

const LATE = `let zod;
const get = () => (zod ??= import.meta.require("./zod-runtime.js"));
${CALLED.map((name) => `export const ${name} = (...given) => get().${name}(...given);`).join("\n")}`;

const renderRuntimes = (index: string) => `export { ${CALLED.join(", ")} } from ${JSON.stringify(index)};`;

/** What is imported of a module of Zod. */
function renderZod({ path, module, names }: Graph["zod"][number]): string {
  const from = JSON.stringify(path);
  if (names === "all") return `import * as all from ${from};\nexport * from ${from};\nexport default all.default;`;
  const lean = JSON.stringify(`cfa:lean/${module}`);
  return `export * from ${lean};\nimport * as z from ${lean};\nexport { z };\nexport default z;`;
}

/** A part of Zod, by the members that are used of it; as a namespace it brings in nothing else. */
function renderLean({ path, names }: Graph["zod"][number]): string {
  if (names === "all") return "";
  const exported = names.filter((name) => name !== "z" && name !== "default");
  return `import * as all from ${JSON.stringify(path)};
${exported.map((name, index) => `const _${index} = all.${name};\n`).join("")}export { ${exported.map((name, index) => `_${index} as ${name}`).join(", ")} };`;
}

/** Marks our own questions to esbuild, which come by the same plugin. */
const ASKED = Symbol("asked");

const zodFrom = (modules: ReadonlyMap<string, string>, index: string): Plugin => ({
  name: "zod",
  setup(build) {
    build.onResolve({ filter: /^cfa:/ }, ({ path }) => ({ path, namespace: "cfa" }));
    build.onLoad({ filter: /^cfa:/, namespace: "cfa" }, ({ path }) => ({
      contents: modules.get(path) ?? LATE,
      resolveDir: dirname(index),
    }));
    build.onResolve({ filter: /^zod(\/|$)/ }, ({ path, kind, importer, pluginData }) => {
      if (pluginData === ASKED) return undefined;
      if (path === "zod" && dirname(importer) === runtime.folder) return { path: "cfa:late", namespace: "cfa" };
      return build.resolve(path, { kind, importer, resolveDir: dirname(index), pluginData: ASKED });
    });
  },
});
