import { type Module, placeIn } from "./discover.ts";
import { statementsOf } from "./link.ts";
import { lineOf } from "./parse.ts";
import type { Fault, Request } from "./request.ts";

/** Thrown for what cannot be in an executable. */
export class GraphFault extends Error {
  readonly fault: Fault;
  constructor(message: string, hint: string) {
    super(message);
    this.fault = { message, hint };
  }
}

export const isFault = (error: unknown): error is GraphFault => error instanceof GraphFault;

/** Throws for what stands in a module that no executable can hold. */
export function refuse(module: Module, { root }: Request): void {
  refuseSyntax(module, root);
  if (!module.isAuthors) return;
  refuseMissing(module, root);
  refuseComputed(module, root);
}

function refuseSyntax(module: Module, root: string): void {
  const [error] = module.format === "esm" ? module.parsed.errors : [];
  if (error)
    throw new GraphFault(
      `${placeIn(module, error.at, root)}: ${error.message}\n${frame(module, error.at)}`,
      "mend it in the source",
    );
}

function refuseMissing(module: Module, root: string): void {
  for (const { specifier, target, at } of statementsOf(module)) {
    if (target.to !== "nowhere") continue;
    const [name] = /^(@[^/]+\/)?[^/.][^/]*/.exec(specifier) ?? [];
    throw new GraphFault(
      `${placeIn(module, at.start, root)} imports ${JSON.stringify(specifier)}, which is not there\n${frame(module, at.start)}`,
      name ? `npm install ${name}` : "mend it in the source",
    );
  }
}

const COMPUTED = 'import each file by its own name, such as { add: () => import("./cmds/add.ts") }';

function refuseComputed(module: Module, root: string): void {
  const [call] = module.parsed.calls.filter(({ specifier }) => specifier === undefined);
  const [pattern] = module.places.patterns;
  const at = call?.start ?? pattern?.at;
  if (at === undefined) return;
  const text = module.code.split("\n")[lineOf(module.code, at) - 1]?.trim();
  throw new GraphFault(`${placeIn(module, at, root)} imports what only shows at run time: ${text}`, COMPUTED);
}

/** The line, and where in it. */
function frame({ code }: Module, at: number): string {
  const start = code.lastIndexOf("\n", at - 1) + 1;
  const [line = ""] = code.slice(start).split("\n");
  return `\n    ${line}\n    ${" ".repeat(at - start)}^\n`;
}
