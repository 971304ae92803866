import { bare, child, childrenOf, isFunction, list, maybe, type Node, nameOf } from "./tree.ts";

/** What a name stands for in a scope. */
export type Binding = {
  name: string;
  kind: "const" | "variable" | "function" | "class" | "enum" | "import" | "parameter";
  /** The declarator, the function, the specifier … that declares it. */
  node: Node;
  /** What encloses the declaration, outermost first. */
  above: readonly Node[];
  isTop: boolean;
  isWritten: boolean;
  refs: Ref[];
};

/** A place where a name is used; `above` encloses it, outermost first. */
export type Ref = { node: Node; above: readonly Node[]; file: string };

/** The names of one module, and what each use of a name means: nothing where it is a global. */
export type Scopes = {
  top: ReadonlyMap<string, Binding>;
  of: ReadonlyMap<Node, Binding>;
  declaredAt: ReadonlyMap<Node, Binding>;
  words: ReadonlySet<string>;
};

type Scope = { names: Map<string, Binding>; outer: Scope | undefined; isFunction: boolean };

/** Reads a module twice: first what is declared, then what is used. */
export function scopesOf(program: Node, file: string): Scopes {
  const scopes = new Map<Node, Scope>();
  const words = new Set<string>();
  const of = new Map<Node, Binding>();
  const declaredAt = new Map<Node, Binding>();
  const top = scopeIn(undefined, true);
  scopes.set(program, top);
  declare(program, [], top);
  use(program, [], top);
  return { top: top.names, of, declaredAt, words };

  function declare(node: Node, above: readonly Node[], scope: Scope): void {
    if (node.type === "Identifier" || node.type === "JSXIdentifier") words.add(nameOf(node));
    const inner = opensScope(node, above.at(-1)) ? scopeIn(scope, isFunction(node)) : scope;
    if (inner !== scope) scopes.set(node, inner);
    for (const [pattern, kind, into] of declaredBy(node, above, scope, inner))
      for (const { name, node: named } of namesIn(pattern)) {
        const known = into.names.get(name);
        const binding = known ?? {
          name,
          kind,
          node: kind === "parameter" ? named : node,
          above,
          isTop: into === top,
          isWritten: false,
          refs: [],
        };
        if (known) known.isWritten = true; // declared again
        into.names.set(name, binding);
        declaredAt.set(named, binding);
      }
    for (const next of childrenOf(node)) declare(next, [...above, node], inner);
  }

  function use(node: Node, above: readonly Node[], outer: Scope): void {
    const scope = scopes.get(node) ?? outer;
    if ((node.type === "Identifier" || node.type === "JSXIdentifier") && !declaredAt.has(node) && isUse(node, above)) {
      const binding = lookUp(nameOf(node), scope);
      if (binding) {
        binding.refs.push({ node, above, file });
        of.set(node, binding);
        if (isWrite(node, above)) binding.isWritten = true;
      }
    }
    for (const next of childrenOf(node)) use(next, [...above, node], scope);
  }
}

const scopeIn = (outer: Scope | undefined, isFunction: boolean): Scope => ({ names: new Map(), outer, isFunction });

function lookUp(name: string, scope: Scope | undefined): Binding | undefined {
  return scope && (scope.names.get(name) ?? lookUp(name, scope.outer));
}

function opensScope(node: Node, parent: Node | undefined): boolean {
  if (node.type === "BlockStatement") return !(parent && isFunction(parent));
  return (
    isFunction(node) ||
    /^(For(In|Of)?Statement|SwitchStatement|CatchClause|StaticBlock|TSModuleBlock|Class.*n)$/.test(node.type)
  );
}

/** The patterns that a node declares, and where. */
function declaredBy(node: Node, above: readonly Node[], scope: Scope, inner: Scope): [Node, Binding["kind"], Scope][] {
  const own = maybe(node, "id");
  switch (node.type) {
    case "VariableDeclarator": {
      const kind = above.at(-1)?.["kind"];
      const into = kind === "var" ? functionOf(scope) : scope;
      return [[child(node, "id"), kind === "const" ? "const" : "variable", into]];
    }
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const parameters = list(node, "params").map((param): [Node, Binding["kind"], Scope] => [
        param,
        "parameter",
        inner,
      ]);
      const named: [Node, Binding["kind"], Scope][] = own
        ? [[own, "function", node.type === "FunctionDeclaration" ? scope : inner]]
        : [];
      return [...named, ...parameters];
    }
    case "ClassDeclaration":
    case "ClassExpression":
      return own ? [[own, "class", node.type === "ClassDeclaration" ? scope : inner]] : [];
    case "TSEnumDeclaration":
      return [[child(node, "id"), "enum", scope]];
    case "TSModuleDeclaration":
      return own?.type === "Identifier" ? [[own, "variable", scope]] : [];
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return [[child(node, "local"), "import", scope]];
    case "CatchClause": {
      const param = maybe(node, "param");
      return param ? [[param, "parameter", inner]] : [];
    }
    default:
      return [];
  }
}

const functionOf = (scope: Scope): Scope => (scope.isFunction || !scope.outer ? scope : functionOf(scope.outer));

/** The names that a pattern declares. */
export function namesIn(pattern: Node): { name: string; node: Node }[] {
  switch (pattern.type) {
    case "Identifier":
      return [{ name: nameOf(pattern), node: pattern }];
    case "AssignmentPattern":
      return namesIn(child(pattern, "left"));
    case "RestElement":
      return namesIn(child(pattern, "argument"));
    case "ArrayPattern":
      return list(pattern, "elements").flatMap(namesIn);
    case "ObjectPattern":
      return list(pattern, "properties").flatMap((one) => namesIn(one.type === "Property" ? child(one, "value") : one));
    case "TSParameterProperty":
      return namesIn(child(pattern, "parameter"));
    default:
      return [];
  }
}

/** Whether a name is a use of what it names: no key, no label, no declaration. */
function isUse(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (!parent) return false;
  switch (parent.type) {
    case "MemberExpression":
      return parent["object"] === node || parent["computed"] === true;
    case "Property":
      if (parent["value"] === node) return true;
      return parent["key"] === node && parent["computed"] === true;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return parent["value"] === node || parent["computed"] === true;
    case "ExportSpecifier":
      return parent["local"] === node && !above.at(-2)?.["source"];
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
    case "ExportAllDeclaration":
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "TSEnumMember":
    case "JSXAttribute":
      return parent["initializer"] === node;
    default:
      return true;
  }
}

/** Whether something is assigned to a name here: declarations of functions, classes and constants are none. */
function isWrite(node: Node, above: readonly Node[]): boolean {
  let below = node;
  for (const one of above.toReversed()) {
    if (one.type === "AssignmentExpression" || /^For(In|Of)Statement$/.test(one.type)) return one["left"] === below;
    if (one.type === "UpdateExpression") return true;
    if (!/Pattern$|^RestElement$|^Property$/.test(one.type) && bare(one) === one) return false;
    if (one.type === "Property" && above.at(above.indexOf(one) - 1)?.type !== "ObjectPattern") return false;
    below = one;
  }
  return false;
}
