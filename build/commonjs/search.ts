import { childrenOf, isNode, type Node, pathOf, textOf } from "../graph/tree.ts";
import { argumentsLooked, changesArguments } from "./arguments.ts";
import { fixedIn } from "./fixed.ts";
import { isGiven } from "./given.ts";
import { isUsed, listOf, namesIn, ownerOf, type Scope, scopeOf, targetsIn, type Use } from "./scopes.ts";
import { judge } from "./uses.ts";

export type Found = { node: Node; what: string };

/** The first place of a tree that means something else in strict code. */
export function search(program: Node): Found | undefined {
  let first: Found | undefined;
  const find = (node: Node, what: string | undefined) => {
    if (what !== undefined && (first === undefined || node.start < first.node.start)) first = { node, what };
  };

  const enter = (node: Node, outer: Scope | undefined, isFree: boolean) => {
    if (isStrict(node)) return;
    const scope = scopeOf(node, outer);
    for (const child of childrenOf(node)) if (child !== node["id"]) visit(child, node, scope, isFree, node);
    for (const { node, what } of judge(scope)) find(node, what);
    for (const { declared, block } of scope.inBlocks) {
      const [name = ""] = namesIn(declared["id"]);
      if (scope.names.get(name) !== "parameter" && isUsed(name, node))
        find(block, `${name} is declared in a block and used outside of it`);
    }
  };

  const visit = (node: Node, parent: Node, scope: Scope, isFree: boolean, body: Node): void => {
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
        if (node.type === "FunctionDeclaration") {
          for (const name of namesIn(node["id"])) scope.names.set(name, "function");
          if (isInBlock(parent, body)) scope.inBlocks.push({ declared: node, block: parent });
        }
        enter(node, scope, isCalled(node, parent));
        return;
      case "ArrowFunctionExpression":
        enter(node, scope, isFree);
        return;
      case "ClassDeclaration":
        for (const name of namesIn(node["id"])) scope.names.set(name, "other");
        return; // its code is strict
      case "ClassExpression":
        return;
      case "VariableDeclarator":
        for (const name of namesIn(node["id"])) if (!scope.names.has(name)) scope.names.set(name, "other");
        scope.uses.push(...fixedIn(node, scope));
        break;
      case "CatchClause":
        for (const name of namesIn(node["param"])) scope.names.set(name, "other");
        break;
      case "ParenthesizedExpression":
        visit(node["expression"] as Node, parent, scope, isFree, body);
        return;
      case "UnaryExpression":
        if (node["operator"] === "delete") scope.uses.push(...assigned(node["argument"], scope));
        break;
      case "AssignmentExpression":
      case "UpdateExpression":
      case "ForInStatement":
      case "ForOfStatement":
        scope.uses.push(...assigned(node["left"] ?? node["argument"], scope), ...fixedIn(node, scope));
        find(node, changesArguments(node, scope));
        break;
      case "Identifier":
        if (node["name"] === "arguments")
          for (const place of argumentsLooked(node, parent)) ownerOf(scope).looked.add(place);
        return;
      case "MemberExpression":
        if (pathOf(node) === "arguments.callee") find(node, "arguments.callee");
        if (/^[\w$]+\.(caller|arguments)$/.test(pathOf(node) ?? "")) scope.uses.push(...assigned(node, scope));
        break;
      case "ThisExpression":
        if (isFree && !isOfHelper(parent)) find(node, "`this` of a function that is called where it stands");
        return;
      case "CallExpression":
        if (isEval(node)) find(node, "eval, which may declare names");
        find(node, changesArguments(node, scope));
        scope.uses.push(...fixedIn(node, scope));
        break;
    }
    const never = isGiven(node["test"]) ? node["alternate"] : undefined;
    for (const child of childrenOf(node)) visit(child, node, scope, isFree && child !== never, body);
  };

  enter(program, undefined, false);
  return first;
}

function isStrict(node: Node): boolean {
  const body = node.type === "Program" ? node["body"] : isNode(node["body"]) ? node["body"]["body"] : undefined;
  return listOf(body).some(({ directive }) => directive === "use strict");
}

const isInBlock = (parent: Node, body: Node) =>
  parent !== body && parent !== body["body"] && /^(BlockStatement|SwitchCase)$/.test(parent.type);

/** Whether it is called where it stands; a declared one may be put on a prototype elsewhere. */
const isCalled = (node: Node, parent: Node) =>
  node.type === "FunctionExpression" && parent.type === "CallExpression" && unwrapped(parent["callee"]) === node;

function unwrapped(node: unknown): unknown {
  return isNode(node) && node.type === "ParenthesizedExpression" ? unwrapped(node["expression"]) : node;
}

/** `this && this.__awaiter`, as compilers write it: there is none either way. */
function isOfHelper(parent: Node): boolean {
  const member = parent.type === "LogicalExpression" && parent["operator"] === "&&" ? parent["right"] : parent;
  return isNode(member) && member.type === "MemberExpression" && /^__/.test(pathOf(member["property"]) ?? "");
}

/** One that takes the mode of where it stands; under any other name it evaluates in the global scope, which is sloppy. */
function isEval(node: Node): boolean {
  const callee = unwrapped(node["callee"]);
  if (pathOf(callee) !== "eval" || node["optional"] === true) return false;
  const [text] = listOf(node["arguments"]);
  return !/^[\w$.]+$/.test(textOf(text) ?? "(");
}

/** What is assigned: names, and members of names. */
function assigned(pattern: unknown, scope: Scope): Use[] {
  return targetsIn(pattern).flatMap((node): Use[] => {
    const [name, ...members] = pathOf(node)?.split(".") ?? [];
    const member = members.length > 0 ? members.join(".") : undefined;
    return name === undefined ? [] : [{ name, member, is: "assigned", node, scope }];
  });
}
