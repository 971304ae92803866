import { dirname, join, parse, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import * as esbuild from "esbuild";
import type { Graph } from "../graph/request.ts";
import { runtime } from "../runtime.ts";
import { nameChunks } from "./chunks.ts";
import { withoutConverter, ZOD3 } from "./zod3.ts";

/** What is ours beside the modules of a tool, by the names of files: where a build looks at it, and in an executable. */
export type Framework = { probe: Files; executable: Files };
type Files = ReadonlyMap<string, string>;

/**
 * Bundles the runtime and Zod, of which each module that is imported stays one. They tell nothing of where they were made.
 * `texts` are those of the modules that ask for them, `index` is the file of Zod.
 */
export async function bundleFramework(zod: Graph["zod"], index: string, texts: readonly string[]): Promise<Framework> {
  const closed = texts.some((text) => text.includes('/closed.js"')) ? ["closed" as const] : [];
  const modules = new Map([
    ...zod.map((one) => [`cfa:${one.module}`, renderZod(one)] as const),
    ...zod.map((one) => [`cfa:lean/${one.module}`, renderLean(one)] as const),
    [RUNTIMES, renderRuntimes(index)],
    [ENGLISH, renderEnglish(dirname(index))],
    [FRAMEWORK, renderFramework(texts)],
  ]);
  const plugins = [zodFrom(modules, index), ...(zod.some(({ path }) => ZOD3.test(path)) ? [] : [withoutConverter])];
  const parts = [RUNTIMES, FRAMEWORK, ...zod.map(({ module }) => `cfa:${module}`)];
  const [probe, executable] = await Promise.all([
    bundleParts([...parts, ...(["index", "observe", ...closed] as const).map((name) => runtime[name])], plugins),
    bundleParts([...parts, ...closed.map((name) => runtime[name])], plugins),
  ]);
  const names = exportsIn(probe.get("index.js") ?? "");
  return { probe, executable: new Map([...executable, ["index.js", `export { ${names} } from "./framework.js";\n`]]) };
}

async function bundleParts(parts: readonly string[], plugins: readonly Plugin[]): Promise<Files> {
  const outdir = join(runtime.folder, ".cfa");
  const nameOf = (part: string) => (part.startsWith("cfa:") ? part.slice("cfa:".length) : parse(part).name);
  const { outputFiles } = await esbuild.build({
    absWorkingDir: runtime.folder,
    entryPoints: parts.map((part) => ({ in: part, out: nameOf(part) })),
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
    plugins: [...plugins],
  });
  return nameChunks(outputFiles.map(({ path, text }) => ({ name: relative(outdir, path).replaceAll(sep, "/"), text })));
}

/** The names that a module of esbuild's exports. */
function exportsIn(text: string): string {
  const [, list = ""] = /export\s*\{([^}]*)\};?\s*$/.exec(text) ?? [];
  return list
    .split(",")
    .map((item) => item.trim().replace(/^.* as /, ""))
    .join(", ");
}

const FRAMEWORK = "cfa:framework";

/** What an executable starts with and its modules ask for, in one: each module costs a call some microseconds. */
function renderFramework(texts: readonly string[]): string {
  const asked = (["lazy", "commonjs"] as const).filter((name) => texts.some((text) => ASKING[name].test(text)));
  return (["entry", "index", ...asked] as const)
    .map((name) => `export * from ${JSON.stringify(runtime[name])};\n`)
    .join("");
}

const ASKING = { lazy: /\blazy(Spec|Const)\b/, commonjs: /\bcommonjs-modules\.js"/ };

/** What of Zod the runtime calls; it loads that when it first does. */
const CALLED = ["literal", "object", "safeParseAsync", "string"];
const RUNTIMES = "cfa:zod-runtime";

const LATE = `let zod;
const get = () => (zod ??= import.meta.require("./zod-runtime.js"));
${CALLED.map((name) => `export const ${name} = (...given) => get().${name}(...given);`).join("\n")}`;

const renderRuntimes = (index: string) =>
  `import "${ENGLISH}";\nexport { ${CALLED.join(", ")} } from ${JSON.stringify(index)};`;

const ENGLISH = "cfa:english";

/** Zod speaks English as soon as the runtime is loaded, which imports the whole of it in source. */
const renderEnglish = (folder: string) => `import { config } from ${JSON.stringify(join(folder, "v4/core/index.js"))};
import en from ${JSON.stringify(join(folder, "v4/locales/en.js"))};
if (!config().localeError) config(en());
`;

/** What is imported of a module of Zod. */
function renderZod({ path, module, names }: Graph["zod"][number]): string {
  const from = JSON.stringify(path);
  const first = ZOD3.test(path) ? "" : `import "${ENGLISH}";\n`;
  if (names === "all")
    return `${first}import * as all from ${from};\nexport * from ${from};\nexport default all.default;`;
  const lean = JSON.stringify(`cfa:lean/${module}`);
  return `${first}export * from ${lean};\nimport * as z from ${lean};\nexport { z };\nexport default z;`;
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
