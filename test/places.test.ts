import { join } from "node:path";
import * as esbuild from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withoutPlaces } from "../build/bundle/places.ts";
import { mapStack, type SourceMap } from "../src/frames.ts";
import { folderWith } from "./project.ts";

const places = suite("the names of modules in a bundle");

const home = folderWith({
  "project/tool.js":
    'import "../outside/late.cjs"; import "./inside.cjs"; import { far } from "../outside/far.js";\nfar("tool");',
  "project/inside.cjs": 'exports.a = "inside";',
  "outside/late.cjs": 'exports.a = "late"; require("./far.js");',
  "outside/far.js": 'import "./node_modules/dep/main.cjs"; export const far = (text) => text + "far";',
  "outside/node_modules/dep/main.cjs": 'exports.a = "dep";',
});

/** The bundle before and after, with its source map. */
async function bundled(minifyWhitespace: boolean) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: join(home, "project"),
    entryPoints: ["tool.js"],
    outdir: "out",
    bundle: true,
    format: "esm",
    sourcemap: "external",
    minifyWhitespace,
    metafile: true,
    write: false,
  });
  const read = (files: readonly { path: string; text: string }[]) => {
    const [map, code] = [
      files.find(({ path }) => path.endsWith(".map")),
      files.find(({ path }) => path.endsWith(".js")),
    ];
    return { text: code?.text ?? "", map: JSON.parse(map?.text ?? "") as SourceMap };
  };
  return { before: read(outputFiles), after: read(withoutPlaces(outputFiles, metafile)) };
}

for (const minified of [true, false]) {
  const how = minified ? "minified" : "as it is";

  places(`tell nothing of where it was made, ${how}`, async () => {
    const { before, after } = await bundled(minified);
    const names = (text: string) => [...text.matchAll(/__(?:esm|commonJS)\(\{\s*"([^"]+)"/g)].map(([, name]) => name);
    assert.equal(names(before.text).sort(), [
      "../outside/far.js",
      "../outside/late.cjs",
      "../outside/node_modules/dep/main.cjs",
      "inside.cjs",
    ]);
    assert.equal(names(after.text).sort(), ["dep/main.cjs", "far.js", "inside.cjs", "late.cjs"]);
    assert.not.match(after.text, /outside/);
  });

  places(`can go without a frame going astray, ${how}`, async () => {
    const { before, after } = await bundled(minified);
    const frames = ['"inside"', '"late"', '"dep"', '"far"', '"tool"'].map((mark) => [
      frameOf(before, mark),
      frameOf(after, mark),
    ]);
    assert.ok(
      frames.every(([one]) => /\.c?js:[12]:\d+/.test(one ?? "")),
      JSON.stringify(frames),
    );
    for (const [one, other] of frames) assert.is(one, other);
  });
}

/** Where a text of a bundle leads. */
function frameOf({ text, map }: { text: string; map: SourceMap }, mark: string): string {
  const before = text.slice(0, text.indexOf(mark)).split("\n");
  const frame = `    at (tool.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`;
  return mapStack(frame, { "tool.js": map });
}

places.run();
