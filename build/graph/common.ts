import MagicString from "magic-string";
import { sloppyIn } from "../commonjs/sloppy.ts";
import { COMMONJS, type Common } from "./commonjs.ts";
import type { Module } from "./discover.ts";
import { missing, targetsIn, type Written } from "./esmodule.ts";
import { type Links, linkTo } from "./link.ts";
import { languageOf } from "./parse.ts";

/**
 * A module of CommonJS as it stands in the folder, with what it imports by the names that it has there, and the files that stand
 * for what is not there.
 */
export function commonOf(module: Module, links: Links): { common: Common; files: Written["files"] } {
  const { path, format, parsed } = module;
  const name = links.names.placed(path);
  if (format === "json") return { common: { name, code: module.code, kind: "json", targets: {} }, files: [] };
  const files: Written["files"] = [];
  const text = new MagicString(module.code);
  for (const { start, argument, specifier, type } of parsed.calls)
    if (specifier === undefined) text.update(start, start + "import".length, "__cfa_import");
    else {
      const link = linkTo(module.imports(specifier, type), COMMONJS, links) ?? missing(specifier, COMMONJS, files);
      text.update(argument.start, argument.end, JSON.stringify(link));
    }
  const isTyped = /^tsx?$/.test(languageOf(path));
  const code = isTyped ? untyped(text.toString(), path) : text.toString();
  const isSloppy = sloppyIn(isTyped ? code : module.code, isTyped ? undefined : parsed.program) !== undefined;
  return { common: { name, code, kind: isSloppy ? "sloppy" : "code", targets: targetsIn(module, links) }, files };
}

/** Only what of TypeScript is no JavaScript: `require` and its like are there already. */
export function untyped(code: string, path: string): string {
  const define = { __dirname: "__dirname", __filename: "__filename", "process.env.NODE_ENV": "process.env.NODE_ENV" };
  const loader = languageOf(path) as "ts" | "tsx";
  return new Bun.Transpiler({ loader, target: "bun", trimUnusedImports: true, deadCodeElimination: false, define })
    .transformSync(code)
    .replace(/^var \{require\}=import\.meta;(var __dirname = .*?;)?/, "");
}
