import type { Message, Metafile } from "esbuild";
import { isComputed, isRuntimes } from "./computed.ts";

type Built = { warnings: readonly Message[]; metafile: Metafile };

/** The files of a bundle, by their names. */
type Files = ReadonlyMap<string, string>;

/**
 * Where anything in a bundle may ask for a module by a name that only shows at run time, the tool begins with
 * `src/closed.ts`.
 */
export function close(files: Files, built: Built, root: string): Files {
  const guarded = new Map([...files].map(([name, text]) => [name, name.endsWith(".js") ? guard(text) : text]));
  if (!asksByName(guarded, built, root)) return guarded;
  const map = JSON.parse(guarded.get("tool.js.map") ?? "{}") as { mappings: string };
  return guarded
    .set("tool.js", `import "./closed.js";\n${guarded.get("tool.js")}`)
    .set("tool.js.map", JSON.stringify({ ...map, mappings: `;${map.mappings}` })); // a line further down
}

const guard = (text: string) => text.replace(IN_TEXT, "$1__cfa_import");

/** Code in strings, which is how a package that was compiled to CommonJS keeps an import: `new Function("name", "return import(name)")`. */
const IN_TEXT = /(\bFunction\((?:"[^"]*",\s*)*["'`]\s*return |\beval\(["'`]\s*)import(?=\()/g;

function asksByName(files: Files, { warnings, metafile }: Built, root: string): boolean {
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return (
    warnings.some((warning) => isComputed(warning) && !isRuntimes(warning.location?.file ?? "", root)) ||
    imports.some(({ path }) => /^(node:)?module$/.test(path)) ||
    [...files].some(([name, text]) => /^(?!closed\.).*\.js$/.test(name) && ASKING.test(text))
  );
}

const ASKING = /\bWorker\b|\b__require\d*\s*\.|\b__cfa_import\b|\bgetBuiltinModule\b(?!\("node:(?!module")[\w/]+"\))/;
