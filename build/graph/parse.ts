import { type ParseResult, parseSync } from "oxc-parser";

/** A module as its text shows it. Places are indices of the text. */
export type Parsed = {
  code: string;
  /** Whether it has import or export statements, or waits at its top level. */
  isModule: boolean;
  imports: Import[];
  /** The calls of `import()`. */
  calls: Call[];
  /** The names that it exports itself, those of types too; `*` stands for all of another module. */
  exports: ReadonlySet<string>;
  /** Default exports whose expression has no name of its own. */
  unnamed: Span[];
  /** The tree, which costs more than all else. */
  program: () => ParseResult["program"];
  errors: SyntaxFault[];
};

export type SyntaxFault = { message: string; at: number };

export type Span = { start: number; end: number };

/** A statement that imports, or exports what another module has. */
export type Import = {
  specifier: string;
  /** Of the specifier, with its quotes. */
  at: Span;
  /** Of the attributes, with `with`; empty where there are none. */
  attributes: Span;
  type: string | undefined;
  names: ReadonlySet<string> | "all";
};

export type Call = Span & { argument: Span; specifier: string | undefined; type: string | undefined };

type Language = "js" | "jsx" | "ts" | "tsx";

/** What is no ES module by its words: most files of packages need not be parsed. */
export function parseScript(path: string, code: string): Parsed {
  const program = () => parse(path, code).program();
  return { code, isModule: false, imports: [], calls: [], exports: new Set(), unnamed: [], program, errors: [] };
}

export function parse(path: string, code: string): Parsed {
  const result = parseSync(path, code, { lang: languageOf(path), sourceType: "unambiguous" });
  const { module } = result;
  const imports = new Map<number, Import>();
  const add = (statement: Span, request: Span & { value: string }, names: Iterable<string> | "all") => {
    const before = imports.get(request.start)?.names ?? [];
    imports.set(request.start, {
      specifier: request.value,
      at: { start: request.start, end: request.end },
      ...attributesIn(code, request.end, statement.end),
      names: names === "all" || before === "all" ? "all" : new Set([...before, ...names]),
    });
  };
  for (const { entries, moduleRequest, ...statement } of module.staticImports) {
    if (entries.length > 0 && entries.every(({ isType }) => isType)) continue;
    const isWhole = entries.some(({ importName }) => importName.kind === "NamespaceObject");
    const names = entries.map(({ importName: { kind, name } }) => (kind === "Default" ? "default" : (name ?? "")));
    add(statement, moduleRequest, isWhole ? "all" : names);
  }
  const exports = new Set<string>();
  const unnamed: Span[] = [];
  for (const { entries, ...statement } of module.staticExports)
    for (const { moduleRequest, importName, exportName, isType, start, end } of entries) {
      exports.add(exportName.kind === "Default" ? "default" : (exportName.name ?? "*"));
      if (isType) continue;
      if (moduleRequest) add(statement, moduleRequest, importName.kind === "Name" ? [importName.name ?? ""] : "all");
      else if (exportName.kind === "Default" && UNNAMED.test(code.slice(start, end))) unnamed.push({ start, end });
    }
  return {
    code,
    isModule: module.hasModuleSyntax,
    imports: [...imports.values()].sort((one, other) => one.at.start - other.at.start),
    calls: module.dynamicImports.map(({ start, end, moduleRequest }) => ({
      start,
      end,
      argument: moduleRequest,
      specifier: literalOf(code.slice(moduleRequest.start, moduleRequest.end)),
      type: TYPE.exec(code.slice(moduleRequest.end, end))?.[1],
    })),
    exports,
    unnamed,
    program: () => result.program,
    errors: result.errors.map(({ message, labels }) => ({ message, at: labels[0]?.start ?? 0 })),
  };
}

export function languageOf(path: string): Language {
  if (/(\.[cm]?ts|[\\/][^.\\/]+)$/i.test(path)) return "ts"; // so does Bun with a file without an ending
  return /\.tsx$/i.test(path) ? "tsx" : "jsx"; // Bun reads JSX in all JavaScript
}

/** What gets its name from where it stands. */
const UNNAMED = /^\(*\s*(class\s*(\{|extends\b)|(async\s*)?(\(|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>))/u;

const TYPE = /\btype["']?\s*:\s*["']([\w-]+)["']/;

function attributesIn(code: string, start: number, end: number): Pick<Import, "attributes" | "type"> {
  const text = /^\s*(?:with|assert)\s*\{[^}]*\}/.exec(code.slice(start, end))?.[0] ?? "";
  return { attributes: { start, end: start + text.length }, type: TYPE.exec(text)?.[1] };
}

/** A string without escapes, or a template without expressions. */
const literalOf = (text: string) => /^\s*(["'`])([^"'`\\$\n]*)\1\s*$/.exec(text)?.[2];
