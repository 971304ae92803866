import { readFile } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import type { PartialMessage, Plugin, PluginBuild } from "esbuild";
import type { Plan } from "../plan.ts";
import { LATE_MODULE, type Lates } from "../rewrite/late.ts";
import type { Namespaces } from "../rewrite/namespaces.ts";
import { runtime } from "../runtime.ts";
import { ASKED, exactly, packageNamed } from "./resolve.ts";

/** What `import.meta.main` becomes: a global that is false, which the entry hides by an import. esbuild leaves it true everywhere. */
export const MAIN = "__cfa_main";

/** The author's file by a name that esbuild does not take for a pattern. */
export const TOOL = "cfa:tool";

/** What is written otherwise in the author's files, so that an executable has less to load and to do. */
export type Rewriting = { namespaces: Namespaces; lates: Lates };

/** Reads the author's files. */
export function sourcesOf({ entry, root }: Pick<Plan, "entry" | "root">, rewriting: Rewriting | undefined): Plugin {
  return {
    name: "sources",
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path, with: attributes }) => {
        if (attributes["type"] !== undefined || (path !== entry && isInstalled(path))) return undefined;
        const source = (await readFile(path, "utf8")).replace(/^\uFEFF?(#!.*)?/, ""); // what only a file may begin with
        const contents = rewriting ? rewrite(source, relative(root, path), rewriting) : source;
        return {
          contents: path === entry ? `${contents}\nimport ${MAIN} from "cfa:main";` : contents,
          loader: "default",
        };
      });
      build.onResolve({ filter: exactly(TOOL) }, () => ({ path: entry }));
      build.onResolve({ filter: exactly(LATE_MODULE) }, () => ({ path: runtime.late }));
      build.onResolve({ filter: /^cfa:main$/ }, ({ path }) => ({ path, namespace: "cfa" }));
      build.onLoad({ filter: /^cfa:main$/, namespace: "cfa" }, () => ({ contents: "export default true" }));
    },
  };
}

function rewrite(source: string, file: string, { namespaces, lates }: Rewriting): string {
  return lates.wrapIn(namespaces.importIn(source), file);
}

function isInstalled(path: string): boolean {
  return path.split(sep).includes("node_modules") || dirname(path) === runtime.folder;
}

/** A tool registers by importing: what its package says of side effects is for those who import the package. */
export const effects: Plugin = {
  name: "effects",
  setup(build) {
    build.onResolve({ filter: /^\.{0,2}\// }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === ASKED || isInstalled(importer)) return undefined;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
      return found.errors.length > 0 || isInstalled(found.path) ? undefined : { ...found, sideEffects: true };
    });
  },
};

/** The runtime is the one that comes with `cfa`. */
export const runtimeFor = (project: string): Plugin => ({
  name: "runtime",
  setup(build) {
    build.onResolve({ filter: exactly(runtime.name) }, async (args) => {
      if (args.pluginData === ASKED) return undefined;
      return { path: runtime.index, warnings: await differing(build, project) };
    });
  },
});

/** An executable cannot load a native addon from its own inside. */
export const addons: Plugin = {
  name: "addons",
  setup(build) {
    build.onResolve({ filter: /\.node$/ }, ({ path }) => ({
      errors: [
        {
          text: `"${path}" is a native addon`,
          detail: "an executable cannot hold native addons: use a package without one",
        },
      ],
    }));
  },
};

async function differing(build: PluginBuild, resolveDir: string): Promise<PartialMessage[]> {
  const { path, errors } = await build.resolve(runtime.name, {
    kind: "import-statement",
    resolveDir,
    pluginData: ASKED,
  });
  if (errors.length > 0) return [];
  const { version } = await packageNamed(path, runtime.name);
  if (version === runtime.version) return [];
  return [
    {
      text: `the project has ${runtime.name} ${version}; the executable gets ${runtime.version}, which comes with this cfa`,
    },
  ];
}
