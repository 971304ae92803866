import MagicString from "magic-string";
import { isSpec } from "./fixed.ts";
import { type AuthorModule, Modules, type Read } from "./modules.ts";
import { isRefused, Prover, type Refused } from "./proof.ts";
import type { Binding, Ref } from "./scope.ts";
import { bare, child, childrenOf, isFunction, keyOf, list, maybe, type Node, nameOf } from "./tree.ts";
import { GLOBAL } from "./words.ts";

export type Note = { file: string; line: number; text: string };
export type Lazy = { code: ReadonlyMap<string, string>; notes: readonly Note[] };

/** A side of a spec that is made when it is asked for. */
type Side = { spec: Node; property: Node; key: string; saysAll: boolean };
/** A top-level constant that is made when it is asked for. */
type Constant = { binding: Binding; module: Read; init: Node };

/**
 * Rewrites the author's modules so that schemas are made when they are asked for, where it is proven that nobody can see it:
 * `input` and `output` of specs, the constants of schemas, and Zod itself. Lines stay where they are.
 */
export function makeLazy(authors: readonly AuthorModule[]): Lazy {
  const modules = new Modules(authors);
  const prover = new Prover(modules);
  const notes: Note[] = [];
  for (const module of modules.all.values()) {
    const word = [...module.words].find((one) => GLOBAL.has(one));
    if (word)
      return {
        code: new Map(),
        notes: [
          { file: module.file, line: 1, text: `all schemas are made at every start, because it speaks of ${word}` },
        ],
      };
  }
  const sides = new Map([...modules.all.values()].map((module) => [module.file, sidesIn(module, prover, notes)]));
  const constants = [...modules.all.values()].flatMap((module) => constantsIn(module, modules, prover));
  const code = new Map<string, string>();
  for (const module of modules.all.values()) {
    const text = rewritten(module, sides.get(module.file) ?? [], constants, modules);
    if (text !== undefined) code.set(module.file, text);
  }
  return { code, notes };
}

function sidesIn(module: Read, prover: Prover, notes: Note[]): Side[] {
  const sides: Side[] = [];
  visit(module.program, (node) => {
    if (node.type !== "ObjectExpression" || !isSpec(node)) return;
    const properties = list(node, "properties");
    for (const [index, property] of properties.entries()) {
      const key = property.type === "Property" ? keyOf(property, "key") : undefined;
      if ((key !== "input" && key !== "output") || property["kind"] !== "init" || property["method"]) continue;
      const hidden = properties
        .slice(index + 1)
        .find((one) => one.type !== "Property" || [undefined, key].includes(keyOf(one, "key")));
      const proof = hidden
        ? { why: `what follows may have another ${key}`, node: hidden, file: module.file }
        : prover.prove(child(property, "value"), module);
      if (isRefused(proof)) notes.push(noteOf(proof, node, key, module));
      else sides.push({ spec: node, property, key, saysAll: proof.saysAll });
    }
  });
  return sides;
}

function noteOf({ why, node, file }: Refused, spec: Node, key: string, module: Read): Note {
  const name = list(spec, "properties").find((one) => one.type === "Property" && keyOf(one, "key") === "name");
  const value = name && bare(child(name, "value"));
  const whose = value?.type === "Literal" ? ` of ${JSON.stringify(value["value"])}` : "";
  const at = file === module.file ? node : spec;
  return {
    file: module.file,
    line: lineOf(at.start, module),
    text: `the ${key}${whose} is made at every start, because ${why}`,
  };
}

const lineOf = (at: number, { code }: Read) => code.slice(0, at).split("\n").length;

function constantsIn(module: Read, modules: Modules, prover: Prover): Constant[] {
  return [...module.top.values()].flatMap((binding) => {
    const init =
      binding.kind === "const" && child(binding.node, "id").type === "Identifier"
        ? maybe(binding.node, "init")
        : undefined;
    if (!init || isFunction(bare(init)) || binding.isWritten || modules.isExposed(binding, module)) return [];
    if (holdsSpec(init) || !touchesZod(init, module, modules) || isRefused(prover.prove(init, module))) return [];
    const importers = modules.importersOf(binding).flatMap(({ refs }) => refs);
    return [...binding.refs, ...importers].every(isReplaceable) ? [{ binding, module, init }] : [];
  });
}

const isReplaceable = ({ node, above }: Ref) =>
  node.type === "Identifier" && !above.some(({ type }) => type === "ExportDefaultDeclaration");

/** Whether evaluating an expression asks for Zod, itself or by a constant or a function of the author's. */
function touchesZod(init: Node, module: Read, modules: Modules, seen = new Set<Node>()): boolean {
  if (seen.has(init)) return false;
  seen.add(init);
  let touches = false;
  visit(init, (node) => {
    const binding = !touches && node.type === "Identifier" ? module.of.get(node) : undefined;
    const origin = binding && modules.originOf(binding, module);
    if (origin?.from === "zod" || origin?.from === "runtime") touches = true;
    if (origin?.from !== "author") return;
    const { kind, node: declared } = origin.binding;
    const value = kind === "const" ? maybe(declared, "init") : kind === "function" ? declared : undefined;
    if (value) touches = touchesZod(value, origin.module, modules, seen);
  });
  return touches;
}

function holdsSpec(init: Node): boolean {
  let holds = false;
  visit(init, (node) => {
    holds ||= node.type === "ObjectExpression" && isSpec(node);
  });
  return holds;
}

function rewritten(
  module: Read,
  sides: readonly Side[],
  constants: readonly Constant[],
  modules: Modules,
): string | undefined {
  const text = new MagicString(module.code);
  const name = (wanted: string) => freeName(wanted, module.words);
  const own = constants.filter((one) => one.module === module);
  const later: Node[] = [...sides.map(({ property }) => child(property, "value")), ...own.map(({ init }) => init)];
  const isLater = ({ node, above }: Ref) => [...above, node].some((one) => isFunction(one) || later.includes(one));
  const imports: string[] = [];

  for (const spec of new Set(sides.map((side) => side.spec))) {
    const ours = sides.filter((side) => side.spec === spec);
    const space = /[\w$]/.test(module.code[spec.start - 1] ?? "") ? " " : "";
    text.appendRight(spec.start, `${space}${name("lazySpec")}(`);
    text.appendLeft(spec.end, `, { ${ours.map(({ key, saysAll }) => `${key}: ${saysAll}`).join(", ")} })`);
    for (const { property, key } of ours) {
      const value = child(property, "value");
      text.appendRight(value.start, property["shorthand"] ? `${key}: () => (` : "() => (");
      text.appendLeft(value.end, ")");
    }
  }
  for (const { init } of own) {
    text.appendRight(init.start, `${name("lazyConst")}(() => (`);
    text.appendLeft(init.end, "))");
  }
  const replace = ({ node, above }: Ref, by: string) => {
    const parent = above.at(-1) as Node;
    const isSide = sides.some(({ property }) => property === parent);
    const key = parent.type === "Property" && parent["shorthand"] && !isSide ? `${nameOf(node)}: ` : "";
    const isNew = parent.type === "NewExpression" && parent["callee"] === node;
    text.update(node.start, node.end, key + (isNew ? `(${by})` : by));
  };
  for (const binding of module.top.values()) {
    const origin = modules.originOf(binding, module);
    if (origin.from === "author" && constants.some((one) => one.binding === origin.binding))
      for (const ref of binding.refs)
        if (ref.above.at(-1)?.type !== "ExportSpecifier") replace(ref, `${binding.name}()`);
    if (binding.kind !== "import" || origin.from !== "zod" || !isOwnImport(binding, module)) continue;
    if (
      binding.refs.length === 0 ||
      !binding.refs.every((ref) => isLater(ref) && isReplaceable(ref) && ref.above.at(-1)?.type !== "ExportSpecifier")
    )
      continue;
    const get = name(`zod_${origin.specifier.replace(/\W/g, "_")}`);
    const line = `import { zod as ${get} } from "cfa:zod/${origin.specifier}";`;
    if (!imports.includes(line)) imports.push(line);
    for (const ref of binding.refs) replace(ref, origin.name === "*" ? `${get}()` : `${get}().${origin.name}`);
    withoutSpecifier(text, binding, module);
  }
  if (sides.length > 0) imports.push(`import { ${importAs("lazySpec", name("lazySpec"))} } from "cfa:lazy";`);
  if (own.length > 0) imports.push(`import { ${importAs("lazyConst", name("lazyConst"))} } from "cfa:lazy";`);
  if (!text.hasChanged()) return undefined;
  if (imports.length > 0) text.append(`\n${imports.join(" ")}`);
  return text.toString();
}

/** Whether a file imports Zod itself, and not what another file of the author's passes on. */
const isOwnImport = (binding: Binding, module: Read) =>
  module.resolve(String(child(binding.above.at(-1) as Node, "source")["value"])).kind === "zod";

/** Takes a name out of its import, as types are: the engine drops an import of which nothing is used. */
function withoutSpecifier(text: MagicString, binding: Binding, module: Read): void {
  const declaration = binding.above.at(-1) as Node;
  const specifiers = list(declaration, "specifiers");
  if (specifiers.length === 1) {
    const { start, end } = declaration;
    text.update(start, end, module.code.slice(start, end).replace(/[^\n]/g, "") || ";");
    return;
  }
  const { start, end } = binding.node;
  if (binding.node.type !== "ImportSpecifier") return;
  const comma = /^\s*,/.exec(module.code.slice(end))?.[0].length ?? 0;
  text.update(start, end + comma, " ");
}

const importAs = (imported: string, local: string) => (imported === local ? local : `${imported} as ${local}`);

function freeName(wanted: string, words: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; words.has(name); count++) name = `${wanted}${count}`;
  return name;
}

function visit(node: Node, seen: (node: Node) => void): void {
  seen(node);
  for (const next of childrenOf(node)) visit(next, seen);
}
