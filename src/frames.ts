/** What the frames of a stack lead to in the source. Plain JSON. */
export type Lines = {
  /** The lines, from 1, on which modules of CommonJS begin, in their order. */
  commonjs: readonly { file: string; line: number }[];
  /** Files that are called otherwise in the source. */
  renamed: Readonly<Record<string, string>>;
};

/** A frame as Bun prints it; what is longer is the author's message, on which no pattern may waste time. */
const FRAME = /^( +at (?:.{0,1000}? \()?)(.{1,1000}?):(\d+):(\d+)(\)?)$/;

/** A stack whose frames name the author's files and lines; those of the framework are left out. `home` is the folder of the modules. */
export function mapStack(stack: string, lines: Lines, home: string): string {
  const folder = `${home.replaceAll("\\", "/")}/`;
  return stack
    .split("\n")
    .flatMap((frame) => mapFrame(frame, lines, folder) ?? [])
    .join("\n");
}

function mapFrame(frame: string, lines: Lines, folder: string): string | undefined {
  const [whole, before = "", path = "", line = "", column = "", after = ""] = FRAME.exec(frame) ?? [];
  if (whole === undefined) return frame;
  const name = withoutFolder(path.replaceAll("\\", "/").replace(/^file:\/\//, ""), folder);
  if (FRAMEWORK.test(name)) return undefined;
  const found = name === COMMONJS ? moduleAt(Number(line), lines) : { file: name, line: Number(line) };
  if (!found?.file.startsWith(TREE)) return frame;
  const file = lines.renamed[found.file] ?? found.file;
  return `${before}${file.slice(TREE.length)}:${found.line}:${column}${after}`;
}

const COMMONJS = "commonjs-modules.js";
const TREE = "app/";
/** The files of a build's folder that are nobody's, of whatever name; the author's are in a folder of their own. */
const FRAMEWORK = /^(?!commonjs-modules\.js$)(zod\/[\w/.-]+|missing\/.+|[\w-]+)\.js$/;

const withoutFolder = (path: string, folder: string) => (path.startsWith(folder) ? path.slice(folder.length) : path);

function moduleAt(line: number, { commonjs }: Lines): { file: string; line: number } | undefined {
  const module = commonjs.findLast((one) => one.line <= line);
  return module && { file: module.file, line: line - module.line + 1 };
}
