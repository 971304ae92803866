import { between } from "./names.ts";

/** A module of CommonJS, as it stands in the folder. */
export type Common = {
  /** Its place, which is that of its file in the source. */
  name: string;
  code: string;
  kind: "code" | "json" | "sloppy";
  /** Where what it asks for is, as `src/commonjs` is told. */
  targets: Targets;
};

export type Targets = Record<string, [module: string] | string>;

/** The file in which all modules of CommonJS stand, each as a function. */
export const COMMONJS = "commonjs-modules.js";

/**
 * Its text, and the line on which each module begins. Modules of the engine are asked for by their names: the engine compiles
 * those that it sees, and loads them in half the time.
 */
export function renderCommons(
  commons: readonly Common[],
  others: Record<string, Targets>,
  packages: Targets,
  engine: readonly string[],
): { text: string; lines: { file: string; line: number }[] } {
  const pieces = ['import { define } from "./framework.js";\ndefine({ modules: {\n'];
  const lines: { file: string; line: number }[] = [];
  let line = 3;
  for (const common of commons) {
    const piece = `${JSON.stringify(common.name)}: ${render(common)},\n`;
    if (common.kind === "code") lines.push({ file: common.name, line });
    line += piece.split("\n").length - 1;
    pieces.push(piece);
  }
  const targets = Object.fromEntries([
    ...commons.flatMap(({ name, targets }) => (Object.keys(targets).length > 0 ? [[name, targets]] : [])),
    ...Object.entries(others),
  ]) as Record<string, Targets>;
  const table = JSON.stringify(JSON.stringify({ targets, packages }));
  const loaders = engine.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
  pieces.push(`}, engine: { ${loaders.join(", ")} }, table: ${table} });\n`);
  return { text: pieces.join(""), lines };
}

function render({ code, kind }: Common): string {
  if (kind === "code") return `function (exports, require, module, __filename, __dirname) {${code}\n}`;
  return kind === "json" ? JSON.stringify(code) : `[${JSON.stringify(code)}]`;
}

/**
 * The ES module that stands for one of CommonJS where an ES module imports it. Its names are those that are asked for.
 * `isModule`: its package says that its files are ES modules.
 */
export function renderFacade(module: string, name: string, names: ReadonlySet<string>, isModule: boolean): string {
  const hidden = isModule ? ["default"] : ["default", "__esModule"]; // which the engine takes for a mark
  const exported = [...names].filter((one) => !hidden.includes(one)).sort();
  return `import { defaultOf, load, namedOf } from ${JSON.stringify(between(module, "framework.js"))};
import ${JSON.stringify(between(module, COMMONJS))};
const exports = load(${JSON.stringify(name)});
export default defaultOf(exports, ${isModule});
${exported.map((one, index) => `const $${index} = namedOf(exports, ${JSON.stringify(one)});\n`).join("")}export { ${exported.map((one, index) => `$${index} as ${nameOf(one)}`).join(", ")} };
`;
}

const nameOf = (name: string) => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name));
