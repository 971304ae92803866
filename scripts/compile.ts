import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "@code-first-agents/tool/build";

await mkdir("dist/bin", { recursive: true });
const examples = (await readdir("examples")).filter((name) => name.endsWith(".ts")).sort();
for (const name of examples) {
  const outfile = join("dist/bin", basename(name, ".ts"));
  const { bytes } = await build({ entry: join("examples", name), outfile });
  console.log(`${outfile}  ${(bytes / 1e6).toFixed(1)} MB`);
}
