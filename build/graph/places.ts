import { childrenOf, isNode, type Node, pathOf, textOf, walk } from "./tree.ts";

/** What a module says of files that lie beside it, and of modules that it asks for by name. Places are indices of its text. */
export type Places = {
  /** Relative paths, from the module's folder, that are written out. */
  beside: { path: string; at: number }[];
  /** Where its folder is used otherwise. */
  unclear: number[];
  /** What `require` is called with, by whatever name it goes. */
  required: string[];
  /**
   * The beginnings of names that a module is required by which only show at run time; empty where nothing of it shows. `isOwn`: by
   * what `createRequire` returned.
   */
  patterns: { start: string; at: number; isOwn: boolean }[];
  /** Which of `require`, `__dirname` and `__filename` it uses without declaring them. */
  free: ReadonlySet<string>;
  /** Members of `import.meta` by which modules are asked for, and calls that only the run itself can resolve. */
  metas: { start: number; end: number; member: string }[];
};

/** Whether a text may have what `placesIn` looks for: a tree costs more than all else. */
export const mayHavePlaces = (code: string, format: "esm" | "commonjs"): boolean =>
  BESIDE.test(code) || (format === "esm" ? /\brequire\b/ : OTHERWISE).test(code);

const BESIDE =
  /\bcreateRequire\b|import\.meta\s*\.\s*(require|resolve|dir|path|filename|url)|__dirname|__filename|new\s+URL\s*\(/;

/** `require` in any other way than with a name that is written out. */
const OTHERWISE = /\brequire\b(?!\s*\(\s*("[^"\n]*"|'[^'\n]*'|`[^`$\n]*`)\s*\))/;

/** What modules of CommonJS are given, and the engine gives ES modules too. */
const COMMON = new Set(["require", "__dirname", "__filename"]);

export function placesIn(program: unknown): Places {
  const free = new Set<string>();
  const places: Places = { beside: [], unclear: [], required: [], patterns: [], free, metas: [] };
  const requires = requiresIn(program);
  const used = new Set<Node>();
  walk(program, (node, parent) => {
    if (node.type === "BinaryExpression") readComparison(node, places);
    if (node.type === "Identifier" && !isSpared(parent) && COMMON.has(String(node["name"])) && !isKey(node, parent))
      free.add(String(node["name"]));
    if (node["name"] === "require" && node.type === "Identifier" && isHandedOn(node, parent))
      places.patterns.push({ start: "", at: node.start, isOwn: false });
    const place = besideIn(node);
    if (place) {
      places.beside.push({ path: place.path, at: node.start });
      for (const one of place.nodes) used.add(one);
    }
    if (node.type === "CallExpression") readCall(node, requires, places);
    if (node.type === "MemberExpression" && isMeta(node["object"])) readMeta(node, places);
    if (isFolder(node) && !used.has(node) && isInPath(node, parent)) places.unclear.push(node.start);
    if (node.type === "Identifier" && node["name"] === "__filename" && parent?.type === "ReturnStatement")
      places.unclear.push(node.start);
  });
  walk(program, (node) => {
    for (const name of COMMON) if (isDeclaring(node, name)) free.delete(name);
  });
  return places;
}

/** Names of what `createRequire` returns, and those that `require` goes by. */
function requiresIn(program: unknown): Set<string> {
  const names = new Set(["require", "module.require", "import.meta.require"]);
  walk(program, (node) => {
    const { id, init, left, right } = node as Record<string, Node | undefined>;
    const [name, value] = node.type === "AssignmentExpression" ? [left, right] : [id, init];
    if (name?.type === "Identifier" && (isCreation(value) || pathOf(value) === "require"))
      names.add(String(name["name"]));
  });
  return names;
}

const isCreation = (node: unknown) =>
  isNode(node) && node.type === "CallExpression" && /(^|\.)createRequire$/.test(pathOf(node["callee"]) ?? "");

function readCall(node: Node, requires: ReadonlySet<string>, places: Places): void {
  const callee = node["callee"] as Node;
  const name = pathOf(callee)?.replace(/\.resolve$/, "");
  if (!isCreation(callee) && (name === undefined || !requires.has(name))) return;
  const [given] = node["arguments"] as Node[];
  const text = textOf(given);
  if (text !== undefined) places.required.push(text);
  else if (given)
    places.patterns.push({
      start: startOf(given),
      at: node.start,
      isOwn: name === undefined || !/require$/.test(name),
    });
}

function readMeta(node: Node, { metas }: Places): void {
  const member = pathOf(node["property"]);
  if (member !== undefined && /^(require|resolve|resolveSync)$/.test(member))
    metas.push({ start: node.start, end: node.end, member });
}

/** `require.main === module`, which says no more in an ES module. */
function readComparison(node: Node, { metas }: Places): void {
  const sides = [pathOf(node["left"]), pathOf(node["right"])].sort().join();
  const member = String(node["operator"]).replace(/^(.=)$/, "$1=");
  if (sides === "module,require.main") metas.push({ start: node.start, end: node.end, member });
}

/** Whether what is asked of `require` needs none. */
const isSpared = (parent: Node | undefined) =>
  pathOf(parent) === "require.main" || (parent?.type === "UnaryExpression" && parent["operator"] === "typeof");

/** What a text that is put together begins with. */
function startOf(node: Node): string {
  if (node.type === "BinaryExpression" && node["operator"] === "+") return startOf(node["left"] as Node);
  const { quasis } = node as { quasis?: { value: { cooked?: string } }[] };
  return textOf(node) ?? quasis?.[0]?.value.cooked ?? "";
}

/** A path that begins in the module's own folder and is written out, with the nodes that say so. */
function besideIn(node: Node): { path: string; nodes: Node[] } | undefined {
  if (node.type === "NewExpression" && pathOf(node["callee"]) === "URL") {
    const [path, base] = node["arguments"] as Node[];
    const text = textOf(path);
    return text !== undefined && base && pathOf(base) === "import.meta.url" && !/^[a-z]+:/i.test(text)
      ? { path: decodeURIComponent(text), nodes: [base] }
      : undefined;
  }
  const concatenated = node.type === "CallExpression" ? concatenatedIn(node) : undefined;
  if (concatenated) return concatenated;
  if (node.type === "CallExpression" && isJoining(node["callee"] as Node)) {
    const [base, ...others] = node["arguments"] as Node[];
    const texts = others.map(textOf);
    const isWhole = base && isFolder(base) && texts.length > 0 && texts.every((text) => text !== undefined);
    return isWhole ? { path: texts.join("/"), nodes: [base] } : undefined;
  }
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const [base, text] = [node["left"] as Node, textOf(node["right"])];
    return isFolder(base) && text !== undefined ? { path: `.${text}`, nodes: [base] } : undefined;
  }
  const { quasis = [], expressions = [] } = node as { quasis?: { value: { cooked?: string } }[]; expressions?: Node[] };
  const [base] = expressions;
  if (node.type !== "TemplateLiteral" || expressions.length !== 1 || !base || !isFolder(base)) return undefined;
  return quasis[0]?.value.cooked === "" ? { path: `.${quasis[1]?.value.cooked ?? ""}`, nodes: [base] } : undefined;
}

/** `join` or `resolve` of whatever the module of paths is called. */
function isJoining(callee: Node): boolean {
  return /^(join|resolve)$/.test(pathOf(callee.type === "MemberExpression" ? callee["property"] : callee) ?? "");
}

function concatenatedIn(node: Node): { path: string; nodes: Node[] } | undefined {
  const callee = node["callee"] as Node;
  const [given, ...others] = node["arguments"] as Node[];
  const base =
    callee.type === "MemberExpression" && pathOf(callee["property"]) === "concat"
      ? (callee["object"] as Node)
      : undefined;
  const text = textOf(given);
  return base && isFolder(base) && text !== undefined && others.length === 0
    ? { path: `.${text}`, nodes: [base] }
    : undefined;
}

const isMeta = (node: unknown) => isNode(node) && node.type === "MetaProperty";
const isFolder = (node: Node): boolean =>
  /^(__dirname|import\.meta\.(dir|dirname))$/.test(pathOf(node) ?? "") || isFolderOfUrl(node);

/** `dirname(fileURLToPath(import.meta.url))`, as it is written for Node. */
function isFolderOfUrl(node: Node): boolean {
  if (node.type !== "CallExpression") return false;
  const [given] = node["arguments"] as Node[];
  const callee = pathOf(node["callee"]) ?? "";
  if (!given || !/(^|\.)dirname$/.test(callee)) return false;
  const isConverted = given.type === "CallExpression" && /(^|\.)fileURLToPath$/.test(pathOf(given["callee"]) ?? "");
  const path = pathOf(isConverted ? (given["arguments"] as Node[])[0] : given);
  return (
    path === (isConverted ? "import.meta.url" : path) &&
    /^(import\.meta\.(url|path|filename)|__filename)$/.test(path ?? "")
  );
}
/** Whether a folder is a part of something, and not only told. */
const isInPath = (_node: Node, parent: Node | undefined) =>
  parent !== undefined && /^(CallExpression|BinaryExpression|TemplateLiteral)$/.test(parent.type);

function isKey(node: Node, parent: Node | undefined): boolean {
  if (!parent) return false;
  const isMember = parent.type === "MemberExpression" && parent["property"] === node && !parent["computed"];
  return (
    isMember ||
    (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) &&
      parent["key"] === node &&
      !parent["shorthand"] &&
      !parent["computed"])
  );
}

/** Whether `require` is given to somebody, who may call it with anything. */
function isHandedOn(node: Node, parent: Node | undefined): boolean {
  if (!parent || isKey(node, parent)) return false;
  const isCalled = parent.type === "CallExpression" && parent["callee"] === node;
  const isGiven =
    parent.type === "CallExpression" || parent.type === "ArrayExpression" || parent.type === "AssignmentExpression";
  return isGiven && !isCalled;
}

/** Whether a node of a module's top level, or an import, makes a name. */
function isDeclaring(node: Node, name: string): boolean {
  const isNamed = (one: unknown) => isNode(one) && one.type === "Identifier" && one["name"] === name;
  if (/^Import(Default|Namespace)?Specifier$/.test(node.type)) return isNamed(node["local"]);
  if (node.type === "Program") {
    return childrenOf(node).some((statement) =>
      (statement.type === "VariableDeclaration" ? childrenOf(statement) : [statement]).some((one) =>
        isNamed(one["id"]),
      ),
    );
  }
  return false;
}
