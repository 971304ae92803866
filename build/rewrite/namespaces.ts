/**
 * `import { z } from "zod"` brings in all of Zod; `import * as z from "zod"` what is used of it, a fifth. This makes the
 * second of the first, and of a default import.
 *
 * They are found by their text, so one may be a line of a template literal. Each that is made has a number of its own: those
 * that esbuild never asks for were none.
 */
export class Namespaces {
  readonly #expected = new Set<string>();
  #made = 0;
  #speaksOfLocales = false;

  importIn(source: string): string {
    this.#speaksOfLocales ||= /\blocales\b/.test(source);
    return source.replace(IMPORT, (statement, indent: string, clause: string, semicolon: string) => {
      const { names, others } = readClause(clause);
      if (names.length === 0) return statement;
      const namespaces = names.map((name) => `import * as ${name} from "${this.#next()}"`);
      const lines = statement.replace(/[^\n]/g, ""); // so that what follows keeps its line
      return (
        indent + [...namespaces, ...(others ? [`import ${others} from "zod"`] : [])].join("; ") + semicolon + lines
      );
    });
  }

  /** The module that esbuild asks for by one of these numbers. */
  seen(path: string): string {
    this.#expected.delete(path);
    return path.split("?")[0] as string;
  }

  /** Whether all that was taken for an import was one, and nobody asks for the languages that Zod speaks beside English. */
  get hold(): boolean {
    return this.#expected.size === 0 && !this.#speaksOfLocales;
  }

  #next(): string {
    const path = `zod?${this.#made++}`;
    this.#expected.add(path);
    return path;
  }
}

const IMPORT = /^([ \t]*)import\s+(?!type\b)([\w$\s,{}]+?)\s*from\s*["']zod["'](;?)/gm;

/** The local names of the namespace in the clause of an import, and what else it imports. */
function readClause(clause: string): { names: string[]; others: string } {
  const [, byDefault, list = ""] = /^(?:([\w$]+)\s*,?\s*)?(?:\{([^{}]*)\})?$/.exec(clause) ?? [];
  const items = list
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
  const named = items.map((item) => /^(?:z|default as)(?: as)? ?([\w$]*)$/.exec(item));
  const names = named.flatMap((match) => (match ? [match[1] || "z"] : []));
  const others = items.filter((_, index) => !named[index]);
  return {
    names: [...(byDefault ? [byDefault] : []), ...names],
    others: others.length > 0 ? `{ ${others.join(", ")} }` : "",
  };
}
