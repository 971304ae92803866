import { type Change, Fixed, functionOf, rootOf } from "./fixed.ts";
import type { Modules, Read } from "./modules.ts";
import type { Binding } from "./scope.ts";
import { bare, child, isFunction, isWrapper, keyOf, list, maybe, type Node, nameOf } from "./tree.ts";
import { EFFECTS, METHODS, OBJECTS, READING, RUNTIME } from "./words.ts";

/** That it does not matter when an expression is evaluated, and whether it says all, without a function; or what stands against it. */
export type Proof = { saysAll: boolean } | Refused;
export type Refused = { why: string; node: Node; file: string };

/** What the parameters of a function are, by its call. */
type Given = ReadonlyMap<Binding, { node: Node; module: Read; given: Given }>;
type Where = { module: Read; given: Given; depth: number };

const NONE: Given = new Map();
const ALL: Proof = { saysAll: true };

export const isRefused = (proof: Proof): proof is Refused => "why" in proof;

/** Shows of expressions that they can be evaluated at any time and come out the same. */
export class Prover {
  readonly #modules: Modules;
  readonly fixed: Fixed;

  constructor(modules: Modules) {
    this.#modules = modules;
    this.fixed = new Fixed(modules);
  }

  prove(node: Node, module: Read): Proof {
    return this.#prove(node, { module, given: NONE, depth: 0 });
  }

  #prove(node: Node, where: Where): Proof {
    const refuse = (why: string): Proof => ({ why, node, file: where.module.file });
    if (where.depth > 60) return refuse("it goes too deep");
    const inner = { ...where, depth: where.depth + 1 };
    const all = (nodes: readonly Node[]) => both(nodes.map((one) => () => this.#prove(one, inner)));
    if (isWrapper(node)) return this.#prove(child(node, "expression"), inner);
    if (isFunction(node)) return { saysAll: false }; // a value: it is called no sooner and no later
    switch (node.type) {
      case "Literal":
        return ALL;
      case "TemplateLiteral":
        return all(list(node, "expressions"));
      case "UnaryExpression":
        return node["operator"] === "delete" ? refuse("it deletes") : all([child(node, "argument")]);
      case "BinaryExpression":
      case "LogicalExpression":
        return all([child(node, "left"), child(node, "right")]);
      case "ConditionalExpression":
        return all([child(node, "test"), child(node, "consequent"), child(node, "alternate")]);
      case "ArrayExpression":
        return all(list(node, "elements"));
      case "SpreadElement":
        return all([child(node, "argument")]);
      case "ObjectExpression":
        return both(list(node, "properties").map((one) => () => this.#property(one, inner)));
      case "Identifier":
        return this.#name(node, inner);
      case "MemberExpression": {
        const parts = node["computed"] ? [child(node, "property")] : [];
        if (this.#isZod(node, where)) return all(parts);
        return this.#isCode(holderOf(node), where)
          ? refuse(`it uses ${textOf(node, where.module)}`) // which anybody may set
          : all([child(node, "object"), ...parts]);
      }
      case "CallExpression":
        return this.#call(node, inner);
      default:
        return refuse(`it has ${textOf(node, where.module)}`);
    }
  }

  #property(one: Node, where: Where): Proof {
    if (one.type !== "Property") return this.#prove(one, where);
    const value = child(one, "value");
    const body = one["kind"] === "get" ? returnedBy(value) : undefined;
    if (one["kind"] !== "init" && !body) return { why: "it has an accessor", node: one, file: where.module.file };
    const key = one["computed"] ? [child(one, "key")] : [];
    return both(
      [...key, ...(body ? [...body.before, body.value] : [value])].map((node) => () => this.#prove(node, where)),
    );
  }

  #name(node: Node, where: Where): Proof {
    const name = nameOf(node);
    const binding = where.module.of.get(node);
    const refuse = (why: string): Proof => ({ why, node, file: where.module.file });
    if (!binding) return /^(undefined|NaN|Infinity)$/.test(name) ? ALL : refuse(`it uses ${name}`);
    const param = where.given.get(binding);
    if (param)
      return binding.isWritten
        ? refuse(`it uses ${name}, which changes`)
        : this.#prove(param.node, { ...where, ...param });
    const origin = this.#modules.originOf(binding, where.module);
    if (origin.from === "zod" || origin.from === "runtime") return ALL;
    if (origin.from !== "author") return refuse(`it uses ${name}, which comes from elsewhere`);
    const declared = origin.binding;
    if (declared.isWritten) return refuse(`it uses ${name}, which changes`);
    if (declared.kind === "function" || declared.kind === "class") return { saysAll: false };
    if (declared.kind === "enum" && !isWrittenOut(declared.node))
      return refuse(`it uses ${name}, whose members are worked out`);
    if (declared.kind === "enum") return this.#fixed(declared, origin.module, ALL, node, where);
    if (declared.kind !== "const") return refuse(`it uses ${name}`);
    return this.#constant(declared, origin.module, node, where);
  }

  #constant(declared: Binding, module: Read, node: Node, where: Where): Proof {
    const there = { module, given: declared.isTop ? NONE : where.given, depth: where.depth };
    const init = maybe(declared.node, "init") ?? listOf(declared);
    if (!init) return { why: `it uses ${declared.name}`, node, file: where.module.file };
    const proof = this.#prove(init, there);
    if (isRefused(proof)) return proof;
    const isPrimitive = /^(Literal|TemplateLiteral|UnaryExpression|BinaryExpression)$/.test(bare(init).type);
    return isPrimitive || isFunction(bare(init)) ? proof : this.#fixed(declared, module, proof, node, where);
  }

  #fixed(declared: Binding, module: Read, proof: Proof, node: Node, where: Where): Proof {
    const change: Change | undefined = this.fixed.changeOf(declared, module);
    if (!change) return proof;
    return {
      why: `${declared.name} may be changed`,
      node: change.file === where.module.file ? change.node : node,
      file: change.file === where.module.file ? change.file : where.module.file,
    };
  }

  #call(node: Node, where: Where): Proof {
    const callee = bare(child(node, "callee"));
    const given = list(node, "arguments");
    const args = () => both(given.map((one) => () => this.#prove(one, where)));
    const refuse: Proof = { why: `it calls ${textOf(callee, where.module)}`, node, file: where.module.file };
    const member = callee.type === "MemberExpression" ? keyOf(callee, "property") : undefined;
    if (this.#isZod(callee, where)) {
      const origin = callee.type === "Identifier" ? this.#originOf(callee, where) : undefined;
      const called = member ?? (origin?.from === "zod" ? origin.name : undefined);
      return called === undefined || EFFECTS.has(called) || callee["computed"] ? refuse : args();
    }
    if (callee.type === "MemberExpression") {
      const object = child(callee, "object");
      const root = rootOf(object);
      if (member === undefined) return refuse;
      if (nameOf(root) === "Object" && bare(object) === root && !where.module.of.get(root))
        return OBJECTS.has(member) ? args() : refuse;
      const kind = this.#kindOf(object, where);
      const isKnown = kind === "schema" ? METHODS.has(member) : kind === "data" && READING.has(member);
      return isKnown ? both([() => this.#prove(object, where), args]) : refuse;
    }
    if (callee.type !== "Identifier") return refuse;
    const origin = this.#originOf(callee, where);
    if (origin?.from === "runtime") return RUNTIME.has(origin.name) ? args() : refuse;
    const target = origin?.from === "author" ? functionOf(origin.binding) : undefined;
    if (!target || origin?.from !== "author") return refuse;
    const body = returnedBy(target);
    const params = this.#paramsOf(target, given, origin.module, where);
    if (!body || !params) return refuse;
    return both([
      args,
      ...[...body.before, body.value].map(
        (one) => () => this.#prove(one, { module: origin.module, given: params, depth: where.depth }),
      ),
    ]);
  }

  #paramsOf(fn: Node, given: readonly Node[], module: Read, where: Where): Given | undefined {
    if (given.some(({ type }) => type === "SpreadElement")) return undefined;
    const entries: [Binding, { node: Node; module: Read; given: Given }][] = [];
    for (const [index, param] of list(fn, "params").entries()) {
      const name = param.type === "AssignmentPattern" ? child(param, "left") : param;
      const binding = name.type === "Identifier" ? module.declaredAt.get(name) : undefined;
      const arg = given[index];
      const isMissing = arg === undefined || (arg.type === "Identifier" && nameOf(arg) === "undefined");
      const value = isMissing ? maybe(param, "right") : arg;
      if (!binding) return undefined;
      if (value)
        entries.push([
          binding,
          { node: value, module: isMissing ? module : where.module, given: isMissing ? new Map(entries) : where.given },
        ]);
    }
    return new Map(entries);
  }

  /** Whether a name stands for a function or a class. */
  #isCode(name: Node, where: Where): boolean {
    const origin = name.type === "Identifier" ? this.#originOf(name, where) : undefined;
    if (origin?.from !== "author") return false;
    return origin.binding.kind === "class" || functionOf(origin.binding) !== undefined;
  }

  /** Whether an expression is Zod's namespace, or what is read from it. */
  #isZod(node: Node, where: Where): boolean {
    const value = bare(node);
    if (value.type === "MemberExpression") return this.#isZod(child(value, "object"), where);
    return value.type === "Identifier" && this.#originOf(value, where)?.from === "zod";
  }

  #originOf(name: Node, { module }: Where) {
    const binding = module.of.get(name);
    return binding && this.#modules.originOf(binding, module);
  }

  /** Whose methods an expression has; nothing where they may be the author's. */
  #kindOf(node: Node, where: Where): "schema" | "data" | undefined {
    const value = bare(node);
    if (where.depth > 60) return undefined;
    const inner = { ...where, depth: where.depth + 1 };
    if (value.type === "Literal" || value.type === "TemplateLiteral" || value.type === "ArrayExpression") return "data";
    if (value.type === "MemberExpression") {
      const part = this.#partOf(value, inner);
      if (part) return this.#kindOf(part.node, part);
      return this.#kindOf(child(value, "object"), inner) === "schema" ? "schema" : undefined;
    }
    if (value.type === "CallExpression") {
      const callee = bare(child(value, "callee"));
      if (this.#isZod(callee, inner)) return "schema";
      if (callee.type === "MemberExpression") return this.#kindOf(child(callee, "object"), inner);
      const origin = callee.type === "Identifier" ? this.#originOf(callee, inner) : undefined;
      if (origin?.from === "runtime") return "schema";
      const target = origin?.from === "author" ? functionOf(origin.binding) : undefined;
      const body = target && returnedBy(target);
      if (!target || !body || origin?.from !== "author") return undefined;
      const given = this.#paramsOf(target, list(value, "arguments"), origin.module, inner) ?? NONE;
      return this.#kindOf(body.value, { module: origin.module, given, depth: inner.depth });
    }
    const init = this.#valueOf(value, inner);
    return init && this.#kindOf(init.node, init);
  }

  /** What a name stands for, as an expression. */
  #valueOf(node: Node, where: Where): (Where & { node: Node }) | undefined {
    const binding = node.type === "Identifier" ? where.module.of.get(node) : undefined;
    if (!binding) return undefined;
    const param = where.given.get(binding);
    if (param) return { ...param, depth: where.depth };
    const origin = this.#modules.originOf(binding, where.module);
    if (origin.from !== "author" || origin.binding.kind !== "const") return undefined;
    const init =
      child(origin.binding.node, "id").type === "Identifier" ? maybe(origin.binding.node, "init") : undefined;
    return (
      init && {
        node: init,
        module: origin.module,
        given: origin.binding.isTop ? NONE : where.given,
        depth: where.depth,
      }
    );
  }

  /** What is written in an object literal for a member. */
  #partOf(member: Node, where: Where): (Where & { node: Node }) | undefined {
    const object = bare(child(member, "object"));
    const literal = object.type === "ObjectExpression" ? { ...where, node: object } : this.#valueOf(object, where);
    if (!literal || bare(literal.node).type !== "ObjectExpression") return undefined;
    const properties = list(bare(literal.node), "properties");
    const name = keyOf(member, "property");
    const found = properties.filter((one) => one.type === "Property" && keyOf(one, "key") === name);
    const [one] = found;
    if (!one || found.length > 1 || one["kind"] !== "init" || properties.some(({ type }) => type === "SpreadElement"))
      return undefined;
    return { ...literal, node: child(one, "value") };
  }
}

/** One after the other, up to the first that is refused. */
function both(proofs: readonly (() => Proof)[]): Proof {
  let saysAll = true;
  for (const prove of proofs) {
    const proof = prove();
    if (isRefused(proof)) return proof;
    saysAll &&= proof.saysAll;
  }
  return { saysAll };
}

/** The one expression that a function returns, and the constants that it makes before; undefined for one that does more. */
function returnedBy(fn: Node): { value: Node; before: Node[] } | undefined {
  if (fn["async"] || fn["generator"]) return undefined;
  const body = child(fn, "body");
  if (body.type !== "BlockStatement") return { value: body, before: [] };
  const statements = list(body, "body");
  const declarators = statements
    .slice(0, -1)
    .flatMap((one) => (one["kind"] === "const" ? list(one, "declarations") : [one]));
  const before = declarators.flatMap((one) => maybe(one, "init") ?? []);
  const last = statements.at(-1);
  const value = last?.type === "ReturnStatement" ? maybe(last, "argument") : undefined;
  return value && before.length === declarators.length ? { value, before } : undefined;
}

/** The list that a loop over a list literal takes a constant from. */
function listOf({ above }: Binding): Node | undefined {
  const loop = above.at(-2);
  const right =
    loop?.type === "ForOfStatement" && above.at(-1) === loop["left"] ? bare(child(loop, "right")) : undefined;
  return right?.type === "ArrayExpression" ? right : undefined;
}

/** What a chain of members is read from. */
function holderOf(node: Node): Node {
  const value = bare(node);
  return value.type === "MemberExpression" ? holderOf(child(value, "object")) : value;
}

function isWrittenOut(declared: Node): boolean {
  const members = list(maybe(declared, "body") ?? declared, "members");
  return members.every((one) => (maybe(one, "initializer") ?? { type: "Literal" }).type === "Literal");
}

function textOf(node: Node, { code }: Read): string {
  const text = code.slice(node.start, node.end).replace(/\s+/g, " ");
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
