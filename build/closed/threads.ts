import { parseSync } from "oxc-parser";
import { isNode, type Node, pathOf, textOf, walk } from "../graph/tree.ts";

/** A worker that is started from a file, which an executable has not. */
export type Started = { line: number; text: string };

/** Where a source starts workers from files, as far as that shows. */
export function workersIn(code: string, file: string): Started[] {
  if (!/\bWorker\b/.test(code)) return [];
  const program = parseSync(file, code, { preserveParens: false }).program as unknown as Node;
  const constants = new Map<string, Node>();
  const names = new Set(["Worker", "globalThis.Worker", "self.Worker"]);
  walk(program, (node, parent) => {
    if (/^(Class|Function)Declaration$/.test(node.type) && pathOf(node["id"]) === "Worker") names.delete("Worker");
    if (node.type.startsWith("Import") && node.type.endsWith("Specifier") && parent) learnImport(node, parent, names);
    if (node.type === "VariableDeclarator" && isNode(node["init"])) learn(node, node["init"], names, constants);
  });
  const found: Started[] = [];
  walk(program, (node) => {
    const [given, options] = node.type === "NewExpression" ? (node["arguments"] as Node[]) : [];
    if (!given || !names.has(pathOf(node["callee"]) ?? "") || isText(options) || !isFile(given, constants)) return;
    const line = code.slice(0, node.start).split("\n").length;
    found.push({ line, text: code.split("\n")[line - 1]?.trim() ?? "" });
  });
  return found;
}

const THREADS = /^(node:)?worker_threads$/;

function learnImport(node: Node, { source }: Node, names: Set<string>): void {
  const local = pathOf(node["local"]) ?? "";
  const isWorker = node.type === "ImportSpecifier" && pathOf(node["imported"]) === "Worker";
  const isThreads = THREADS.test(textOf(source) ?? "");
  if (isThreads) names.add(isWorker ? local : `${local}.Worker`);
  else names.delete(local);
}

function learn({ id }: Node, init: Node, names: Set<string>, constants: Map<string, Node>): void {
  const name = pathOf(id);
  if (name !== undefined) constants.set(name, init);
  const asked = init.type === "AwaitExpression" && isNode(init["argument"]) ? init["argument"] : init;
  const given = asked["source"] ?? (asked["arguments"] as Node[] | undefined)?.[0];
  if (!THREADS.test(textOf(given) ?? "")) return;
  if (name !== undefined) names.add(`${name}.Worker`);
  for (const property of isNode(id) && id.type === "ObjectPattern" ? (id["properties"] as Node[]) : [])
    if (pathOf(property["key"]) === "Worker") names.add(pathOf(property["value"]) ?? "");
}

const isText = (options: Node | undefined) =>
  options?.type === "ObjectExpression" &&
  (options["properties"] as Node[]).some(
    ({ key, value }) => pathOf(key) === "eval" && (value as Node)["value"] === true,
  );

/** Whether an expression is the name of a file; a constant leads on to what it stands for. */
function isFile(node: Node, constants: ReadonlyMap<string, Node>, steps = 9): boolean {
  const text = textOf(node);
  if (text !== undefined) return PATH.test(text);
  const path = pathOf(node) ?? "";
  if (/^(import\.meta\.\w+|__filename|__dirname)$/.test(path)) return true;
  if (steps === 0) return false;
  const parts = [node["arguments"], node["expressions"], node["object"]].flat().filter(isNode);
  const callee = pathOf(node["callee"]) ?? "";
  if (callee === "require.resolve") return true;
  if (/^(URL|(path\.)?(join|resolve)|fileURLToPath|pathToFileURL)$/.test(callee) || node.type === "TemplateLiteral")
    return parts.some((part) => isFile(part, constants, steps - 1));
  if (node.type === "MemberExpression") return parts.some((part) => isFile(part, constants, steps - 1));
  const constant = constants.get(path);
  return constant !== undefined && isFile(constant, constants, steps - 1);
}

/** No code, which may begin with a comment or hold the name of a file. */
const PATH = /^(\.{0,2}\/(?![/*])|file:|[^:;\s"'(]+\.[cm]?[jt]sx?$)/;
