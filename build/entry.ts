import type { SourceMaps } from "../src/frames.ts";
import type { Described, Frozen, Manifest } from "../src/manifest.ts";

/** The source of the executable: data, and one call. */
export function renderEntry(manifest: Manifest, maps: SourceMaps): string {
  const frozen = JSON.stringify(freeze(manifest, maps));
  return `import { start } from "./entry.js";\nstart(${frozen}, () => import("./tool.js"));\n`;
}

function freeze({ subcommands, ...words }: Manifest, maps: SourceMaps): Frozen {
  return { ...words, subcommands: subcommands.map(freezeSubcommand), maps: JSON.stringify(maps) };
}

function freezeSubcommand({ input, output, loose, ...words }: Described): Frozen["subcommands"][number] {
  return {
    ...words,
    input: JSON.stringify(input),
    output: JSON.stringify(output),
    ...(loose && { loose: JSON.stringify(loose) }),
  };
}
