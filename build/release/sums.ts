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
