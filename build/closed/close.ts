import type { Message, Metafile } from "esbuild";
import { isRuntimes, isSource, isZods, sourceOf } from "../bundle/inputs.ts";
import { isComputed } from "./computed.ts";
import { mayEvaluate } from "./evals.ts";

type Built = { warnings: readonly Message[]; metafile: Metafile };

/** The files of a bundle, by their names. */
type Files = ReadonlyMap<string, string>;

/**
 * Where anything in a bundle may ask for a module by a name that only shows at run time, the tool begins with
 * `src/closed.ts`.
 */
export function close(files: Files, built: Built, root: string): Files {
  if (!asksByName(files, built, root)) return files;
  const namesThreads = [...files].some(([name, text]) => !isClosed(name) && text.includes("worker_threads"));
  const map = JSON.parse(files.get("tool.js.map") ?? "{}") as { mappings: string };
  return new Map(files)
    .set("closed.js", `${files.get("closed.js")}${namesThreads ? "__cfa_threads();" : ""}`)
    .set("tool.js", `import "./closed.js";\n${files.get("tool.js")}`)
    .set("tool.js.map", JSON.stringify({ ...map, mappings: `;${map.mappings}` })); // a line further down
}

function asksByName(files: Files, { warnings, metafile }: Built, root: string): boolean {
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return (
    warnings.some((warning) => isComputed(warning) && !isRuntimes(warning.location?.file ?? "", root)) ||
    imports.some(({ path }) => /^(node:)?(module|vm)$/.test(path)) ||
    [...files].some(([name, text]) => !isClosed(name) && ASKING.test(text)) ||
    Object.keys(metafile.inputs).some((file) => isEvaluating(file, root))
  );
}

/** Whether a file is that of the runtime, or of no code. */
const isClosed = (name: string) => name === "closed.js" || !name.endsWith(".js");

const ASKING =
  /\bWorker\b|\b__require\d*\s*\.|\b__cfa_(import|resolve)\b|\bBun\s*\.\s*resolve|\bgetBuiltinModule\b(?!\("node:(?!module")[\w/]+"\))/;

/** Zod makes code as well, in which nothing is imported. */
function isEvaluating(file: string, root: string): boolean {
  if (!isSource(file) || isZods(file) || isRuntimes(file, root)) return false;
  const source = sourceOf(file, root);
  return source === undefined || mayEvaluate(source);
}
