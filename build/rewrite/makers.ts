import { dirname, join } from "node:path";
import type { Message, Plugin } from "esbuild";
import { LATE_NAME, type Used } from "./lazy.ts";

/** Modules that get Zod, or a part of the runtime, when they are first asked; each file that makes schemas late has its own. */
export class Makers {
  /** By their paths. */
  readonly #modules = new Map<string, { contents: string; file: string }>();

  /** The import of the functions that get what a file uses. */
  importOf(used: ReadonlyMap<string, Used>, file: string): string {
    if (used.size === 0) return "";
    const path = `cfa:makers/${file}`;
    const functions = [...used.values()].map((maker, index) => {
      const taken = `${path}/${maker.local}`;
      this.#modules.set(taken, { contents: takenOf(maker), file });
      const part = maker.imported === "*" ? "" : ".part";
      return `let _${index};
const get${index} = () => (_${index} ??= require(${JSON.stringify(taken)})${part});
export { get${index} as ${maker.local} };`;
    });
    this.#modules.set(path, { contents: functions.join("\n"), file });
    const names = [...used.keys()].map((name) => `${name} as ${LATE_NAME}${name}`);
    return ` import { ${names.join(", ")} } from ${JSON.stringify(path)};`;
  }

  plugin(root: string): Plugin {
    return {
      name: "makers",
      setup: (build) => {
        build.onResolve({ filter: /^cfa:makers\// }, ({ path }) => ({ path: path.slice(4), namespace: "cfa" }));
        build.onLoad({ filter: /^makers\//, namespace: "cfa" }, ({ path }) => {
          const { contents = "", file = "" } = this.#modules.get(`cfa:${path}`) ?? {};
          return { contents, resolveDir: dirname(join(root, file)) };
        });
      },
    };
  }
}

/** A module that has what is taken of another, and nothing else. */
function takenOf({ imported, from, members }: Used): string {
  const names = imported === "*" ? [...members] : [imported];
  const exported = names.map((name, index) => `_${index} as ${imported === "*" ? name : "part"}`);
  return `import * as all from ${JSON.stringify(from)};
const ${names.map((name, index) => `_${index} = all.${name}`).join(", ")};
export { ${exported.join(", ")} };`;
}

/** A namespace has types too, which nobody can tell from values by their names. */
export const isOfType = ({ id, location }: Message) =>
  id === "import-is-undefined" && location?.file.startsWith("cfa:makers/") === true;
