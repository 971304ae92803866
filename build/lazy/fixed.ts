import type { Modules, Read } from "./modules.ts";
import type { Binding, Ref } from "./scope.ts";
import { bare, child, childrenOf, isFunction, isWrapper, keyOf, list, maybe, type Node, nameOf } from "./tree.ts";
import { METHODS, OBJECTS, QUESTIONS, READING, RUNTIME } from "./words.ts";

/** A place in the source that changes a value, or hands it to whom nobody has looked into. */
export type Change = { node: Node; file: string };

/** Looks for whatever could change the value of a constant. Nothing is found where no use of it can. */
export class Fixed {
  readonly #modules: Modules;
  readonly #known = new Map<Binding, Change | undefined>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  changeOf(binding: Binding, module: Read): Change | undefined {
    if (this.#known.has(binding)) return this.#known.get(binding);
    this.#known.set(binding, undefined); // while it is looked for: a circle changes nothing
    const change = this.#search(binding, module);
    this.#known.set(binding, change);
    return change;
  }

  #search(binding: Binding, module: Read): Change | undefined {
    if (binding.isWritten) return { node: binding.node, file: module.file };
    if (this.#modules.isExposed(binding, module)) return { node: binding.node, file: module.file };
    if (holdsThis(binding.node)) return { node: binding.node, file: module.file }; // its methods may change it
    const refs = [binding, ...this.#modules.importersOf(binding)].flatMap((one) => one.refs);
    for (const ref of refs) {
      const change = this.#flow(ref.node, ref.above, ref);
      if (change) return change;
    }
    return undefined;
  }

  /** Follows a value from an expression upwards. */
  #flow(node: Node, above: readonly Node[], ref: Ref): Change | undefined {
    const parent = above.at(-1) as Node;
    const up = above.slice(0, -1);
    const bad = { node, file: ref.file };
    if (isWrapper(parent)) return this.#flow(parent, up, ref);
    switch (parent.type) {
      case "MemberExpression":
        return parent["object"] === node ? this.#member(parent, up, ref) : undefined;
      case "CallExpression":
        return parent["callee"] === node ? undefined : this.#argument(node, parent, up, ref);
      case "SpreadElement": {
        const holder = up.at(-1) as Node;
        if (holder.type === "CallExpression") return this.#argument(parent, holder, up.slice(0, -1), ref);
        return this.#flow(holder, up.slice(0, -1), ref);
      }
      case "Property": {
        const holder = up.at(-1) as Node;
        if (holder.type !== "ObjectExpression") return bad;
        if (/^(input|output)$/.test(keyOf(parent, "key") ?? "") && isSpec(holder)) return undefined;
        return this.#flow(holder, up.slice(0, -1), ref);
      }
      case "ArrayExpression":
        return this.#flow(parent, up, ref);
      case "VariableDeclarator":
        return this.#names(child(parent, "id"), ref) ? undefined : bad;
      case "ForOfStatement": {
        const left = child(parent, "left");
        const [declarator] = left.type === "VariableDeclaration" ? list(left, "declarations") : [];
        return declarator && this.#names(child(declarator, "id"), ref) ? undefined : bad;
      }
      case "ConditionalExpression":
      case "LogicalExpression":
        return parent["test"] === node ? undefined : this.#flow(parent, up, ref);
      case "UnaryExpression":
        return parent["operator"] === "delete" ? bad : undefined;
      case "ArrowFunctionExpression":
        return parent["body"] === node ? this.#returned(parent, up, ref) : bad;
      case "ReturnStatement": {
        const at = above.findLastIndex(isFunction);
        return at < 0 ? bad : this.#returned(above[at] as Node, above.slice(0, at), ref);
      }
      case "ExportSpecifier":
      case "ExportDefaultDeclaration":
      case "BinaryExpression":
      case "TemplateLiteral":
      case "ExpressionStatement":
      case "IfStatement":
        return undefined;
      default:
        return bad;
    }
  }

  #member(member: Node, above: readonly Node[], ref: Ref): Change | undefined {
    const parent = above.at(-1) as Node;
    if (parent.type !== "CallExpression" || parent["callee"] !== member) return this.#flow(member, above, ref);
    const name = keyOf(member, "property") ?? "";
    const reads = METHODS.has(name) || QUESTIONS.has(name) || READING.has(name);
    return reads ? undefined : { node: parent, file: ref.file };
  }

  #argument(node: Node, call: Node, above: readonly Node[], ref: Ref): Change | undefined {
    const module = this.#modules.moduleOf(ref.file);
    const callee = bare(child(call, "callee"));
    const root = rootOf(callee);
    const binding = root.type === "Identifier" ? module.of.get(root) : undefined;
    const bad = { node: call, file: ref.file };
    if (!binding) {
      const reads =
        nameOf(root) === "Object" && callee.type === "MemberExpression" && OBJECTS.has(keyOf(callee, "property") ?? "");
      if (!reads && !this.#isChain(callee, module)) return bad;
      return reads ? this.#flow(call, above, ref) : undefined; // its parts are in what is returned
    }
    const origin = this.#modules.originOf(binding, module);
    if (origin.from === "zod") return undefined;
    if (origin.from === "runtime") return RUNTIME.has(origin.name) ? undefined : bad;
    if (callee.type === "MemberExpression") return this.#isChain(callee, module) ? undefined : bad;
    const target = origin.from === "author" ? functionOf(origin.binding) : undefined;
    const param = target && list(target, "params")[list(call, "arguments").indexOf(node)];
    if (origin.from !== "author" || !param || node.type === "SpreadElement") return bad;
    return this.#names(param, { ...ref, file: origin.module.file }) ? undefined : bad;
  }

  /** Whether a method is one of a schema's, or stands at the end of a chain that starts with Zod. */
  #isChain(callee: Node, module: Read): boolean {
    if (callee.type !== "MemberExpression" || !METHODS.has(keyOf(callee, "property") ?? "")) return false;
    return this.isOfZod(child(callee, "object"), module);
  }

  /** Whether an expression is made by Zod or the runtime: a call, what is called on it, or a constant of that. */
  isOfZod(node: Node, module: Read, depth = 0): boolean {
    const value = bare(node);
    if (depth > 30) return false;
    if (value.type === "CallExpression") return this.isOfZod(child(value, "callee"), module, depth + 1);
    if (value.type === "MemberExpression") return this.isOfZod(child(value, "object"), module, depth + 1);
    const binding = value.type === "Identifier" ? module.of.get(value) : undefined;
    if (!binding) return false;
    const origin = this.#modules.originOf(binding, module);
    if (origin.from !== "author")
      return origin.from === "zod" || (origin.from === "runtime" && RUNTIME.has(origin.name));
    const init = origin.binding.kind === "const" ? maybe(origin.binding.node, "init") : undefined;
    return (
      init !== undefined && origin.binding.node["id"] !== undefined && this.isOfZod(init, origin.module, depth + 1)
    );
  }

  /** What a function returns goes where it is called; nobody knows who calls one without a name. */
  #returned(fn: Node, above: readonly Node[], ref: Ref): Change | undefined {
    const bad = { node: fn, file: ref.file };
    const module = this.#modules.moduleOf(ref.file);
    const declarator = above.at(-1) as Node;
    const id = maybe(fn, "id") ?? (declarator.type === "VariableDeclarator" ? child(declarator, "id") : undefined);
    const binding = id ? bindingAt(module, id) : undefined;
    if (!binding || this.#modules.isExposed(binding, module)) return bad;
    for (const use of [binding, ...this.#modules.importersOf(binding)].flatMap((one) => one.refs)) {
      const parent = use.above.at(-1) as Node;
      if (parent.type !== "CallExpression" || parent["callee"] !== use.node) return bad;
      const change = this.#flow(parent, use.above.slice(0, -1), use);
      if (change) return change;
    }
    return undefined;
  }

  /** Whether nothing is changed by the names of a pattern. */
  #names(pattern: Node, ref: Ref): boolean {
    const module = this.#modules.moduleOf(ref.file);
    const target = pattern.type === "AssignmentPattern" ? child(pattern, "left") : pattern;
    if (target.type === "ObjectPattern")
      return list(target, "properties").every(
        (one) => one.type === "Property" && this.#names(child(one, "value"), ref),
      );
    if (target.type === "ArrayPattern") return list(target, "elements").every((one) => this.#names(one, ref));
    if (target.type !== "Identifier") return false;
    const binding = bindingAt(module, target);
    return binding !== undefined && this.changeOf(binding, module) === undefined;
  }
}

/** The binding that a name in a pattern declares. */
export function bindingAt(module: Read, name: Node): Binding | undefined {
  return module.declaredAt.get(name);
}

/** The function that a name stands for, for good. */
export function functionOf({ kind, node, isWritten }: Binding): Node | undefined {
  if (isWritten) return undefined;
  if (kind === "function") return node;
  const init = kind === "const" && child(node, "id").type === "Identifier" ? maybe(node, "init") : undefined;
  return init && isFunction(bare(init)) ? bare(init) : undefined;
}

function holdsThis(node: Node): boolean {
  return node.type === "ThisExpression" || childrenOf(node).some(holdsThis);
}

export function rootOf(node: Node): Node {
  const value = bare(node);
  if (value.type === "MemberExpression") return rootOf(child(value, "object"));
  if (value.type === "CallExpression") return rootOf(child(value, "callee"));
  return value;
}

/** Whether an object literal is written like the spec of a subcommand. */
export function isSpec(object: Node): boolean {
  const keys = list(object, "properties").map((one) => (one.type === "Property" ? keyOf(one, "key") : undefined));
  return keys.includes("handler") && keys.includes("input");
}
