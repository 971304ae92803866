import { readFileSync } from "node:fs";

/** What an import of a file that is no code gives, as the engine sees it: data, or the path of the file. */
export type Data = { is: "data"; text: string } | { is: "file" } | { is: "database" };

/** Loaders whose values are made of the file alone. */
const LOADED = /\.(json|jsonc|json5|toml|ya?ml|txt|md|xml|html?)$/i;

export const isCode = (path: string, type: string | undefined) =>
  type === undefined ? /\.[cm]?[jt]sx?$/i.test(path) : /^(js|jsx|ts|tsx)$/.test(type);

/** Asks the engine. */
export async function readData(path: string, type: string | undefined): Promise<Data> {
  if (type === "sqlite") return { is: "database" };
  if (type === "file" || (type === undefined && !LOADED.test(path) && !/(^|\/)bun\.lock$/.test(path))) {
    return { is: "file" };
  }
  const json = type === undefined && path.endsWith(".json") ? parsed(readFileSync(path, "utf8")) : undefined;
  const options = type === undefined ? {} : { with: { type } };
  const module = json ?? ((await import(path, options)) as Record<string, unknown>);
  if (module["default"] === path) return { is: "file" };
  const names = Object.keys(module).filter((name) => name !== "default" && isName(name));
  const exported = names.map((name) => `export const ${name} = data[${JSON.stringify(name)}];\n`).join("");
  return { is: "data", text: `const data = ${render(module["default"])};\nexport default data;\n${exported}` };
}

/** JSON as a module; undefined where it has comments, as `tsconfig.json` may. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return { ...(typeof value === "object" && !Array.isArray(value) ? value : {}), default: value };
  } catch {
    return undefined;
  }
}

const isName = (name: string) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !RESERVED.has(name);
const RESERVED = new Set(
  "arguments await break case catch class const continue data debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** The source of a value; JSON cannot say all that these files can. */
function render(value: unknown): string {
  if (isJson(value)) return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[${value.map(render).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `[${JSON.stringify(key)}]: ${render(member)}`);
    return `{ ${members.join(", ")} }`;
  }
  return typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : String(value);
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null)
    return typeof value === "string" || typeof value === "boolean" || value === null;
  return !(value instanceof Date) && Object.values(value).every(isJson);
}
