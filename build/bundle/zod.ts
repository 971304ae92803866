import { dirname } from "node:path";
import type { PartialMessage, Plugin } from "esbuild";
import { ZOD } from "../rewrite/declared.ts";
import type { Namespaces } from "../rewrite/namespaces.ts";
import { runtime } from "../runtime.ts";
import { ASKED, packageNamed, resolveFrom } from "./resolve.ts";

/**
 * Both the runtime and the tool use the project's zod, or `cfa`'s own where there is none. With `namespaces` it speaks
 * English only, and the runtime loads it when it first needs it.
 */
export const zodFor = (project: string, namespaces: Namespaces | undefined): Plugin => ({
  name: "zod",
  setup(build) {
    build.onResolve({ filter: ZOD }, async (given) => {
      if (given.pluginData === ASKED) return undefined;
      const args = { ...given, path: namespaces?.seen(given.path) ?? given.path };
      const ours = dirname(args.importer) === runtime.folder;
      if (namespaces && ours && args.path === "zod") return { path: "zod/late", namespace: "cfa" };
      const asked = ours || args.importer === "zod/called";
      const found = await resolveFrom(build, args, [asked ? project : args.resolveDir, runtime.folder]);
      return asked && found.errors.length === 0 ? { ...found, errors: await outdated(found.path) } : found;
    });
    if (!namespaces) return;
    build.onResolve({ filter: /^cfa:zod\// }, ({ path }) => ({ path: path.slice(4), namespace: "cfa" }));
    build.onLoad({ filter: /^zod\//, namespace: "cfa" }, ({ path }) => ({
      contents: MODULES[path] ?? "",
      resolveDir: project,
    }));
    build.onResolve({ filter: LOCALES }, ({ path, importer }) =>
      /\/node_modules\/zod\//.test(importer) ? { path, namespace: "cfa", sideEffects: false } : undefined,
    );
    build.onLoad({ filter: LOCALES, namespace: "cfa" }, () => ({ contents: "export {}" }));
  },
});

const LOCALES = /\/locales\/index\.js$/;

/** What of Zod the runtime calls. */
const CALLED = ["literal", "object", "safeParseAsync", "string"];

const MODULES: Record<string, string> = {
  "zod/late": `let zod;
const get = () => (zod ??= require("cfa:zod/called"));
${CALLED.map((name) => `export const ${name} = (...given) => get().${name}(...given);`).join("\n")}`,
  "zod/called": `export { ${CALLED.join(", ")} } from "zod";`,
};

async function outdated(path: string): Promise<PartialMessage[]> {
  const { version = "" } = await packageNamed(path, "zod");
  if (Number.parseInt(version, 10) >= 4) return [];
  return [
    {
      text: `the project's zod is version ${version}`,
      detail: "npm install zod@4; schemas of version 3 still work when imported from zod/v3",
    },
  ];
}
