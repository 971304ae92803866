import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest("hex");
}

/** What `sha256sum --check` reads: names and sums, in the order of the names. */
export function renderSums(sums: Record<string, string>): string {
  const names = Object.keys(sums).sort();
  return names.map((name) => `${sums[name]}  ${name}\n`).join("");
}

/** The sum that a file of sums has for a name. */
export function readSum(text: string, name: string): string | undefined {
  const lines = text.split("\n").map((line) => /^([0-9a-f]{64}) [ *](.*)$/.exec(line));
  return lines.find((found) => found?.[2] === name)?.[1];
}
