import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Whether Bun can read the settings in a folder and all above it. It does so wherever it works, and fails where it cannot. */
export async function isLegible(folder: string): Promise<boolean> {
  const texts = await Promise.all(NAMES.map((name) => textOf(join(folder, name))));
  const above = dirname(folder);
  return texts.every(isJson) && (above === folder || isLegible(above));
}

const NAMES = ["package.json", "tsconfig.json", "jsconfig.json"];

async function textOf(path: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() ? readFile(path, "utf8").catch(() => "{}") : "{}";
}

/** With comments, and commas behind the last. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(COMMENT, "$1").replace(LAST_COMMA, "$1"));
    return true;
  } catch {
    return false;
  }
}

const COMMENT = /("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g;
const LAST_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;
