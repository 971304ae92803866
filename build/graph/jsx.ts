import { dirname } from "node:path";
import { isInstalled } from "./installed.ts";
import { languageOf } from "./parse.ts";
import { walk } from "./tree.ts";
import { compilerOptionsFor } from "./tsconfig.ts";

/** Whether a text may have JSX in it, all of which is closed somewhere; a tree costs more than all else. */
const MAY_BE = /<\/[\w.>]|\/>/;

/**
 * The text of a module without JSX, which the engine would import functions for by the name of their package; undefined where there
 * is none. Its lines are not those of the source.
 */
export function withoutJsx(path: string, code: string, program: () => unknown): string | undefined {
  const loader = languageOf(path);
  if (loader === "ts" || (isInstalled(path) && !/x$/.test(path)) || !MAY_BE.test(code) || !hasJsx(program()))
    return undefined;
  const transpiler = new Bun.Transpiler({
    loader,
    target: "bun",
    autoImportJSX: true,
    trimUnusedImports: true,
    deadCodeElimination: false,
    define: { "process.env.NODE_ENV": "process.env.NODE_ENV" },
    tsconfig: JSON.stringify({ compilerOptions: compilerOptionsFor(dirname(path)) }),
  });
  return transpiler.transformSync(code).replace(/^var \{require\}=import\.meta;(var __dirname = .*?;)?/, "");
}

function hasJsx(program: unknown): boolean {
  let found = false;
  walk(program, ({ type }) => {
    found ||= type === "JSXElement" || type === "JSXFragment";
  });
  return found;
}
