import type { Lines } from "../../src/frames.ts";

/** What the engine is asked to make of a tool's source: a folder of modules. Plain JSON, as is `Graph`. */
export type Request = {
  /** The tool's file. */
  entry: string;
  /** The tool's package. */
  root: string;
  /** The folder that is filled. */
  folder: string;
  /** The runtime that comes with `cfa`: its name, its folder, and the file that stands for it in the graph. */
  runtime: { name: string; version: string; folder: string };
};

/** What the engine made, or why it could not. */
export type Answer = Graph | { fault: Fault };

export type Graph = {
  /** The ES modules of the folder, as the engine compiles them: paths from the folder, without our own. */
  modules: string[];
  /** The other files of the folder that they need, which are embedded as they lie in its folder `assets`. */
  others: string[];
  /** The files with settings of TypeScript. */
  settings: string[];
  /** The files of the source that are inside. */
  files: string[];
  /** Modules of Zod that the tool and its packages import, what of each, and where in the folder that is looked for. */
  zod: { path: string; module: string; names: string[] | "all" }[];
  lines: Lines;
  /** Whether anything follows the links of paths, for which `tool-places.js` is loaded first. */
  asksForPlaces: boolean;
  /** The folder of the tool's Zod. */
  zodFolder: string;
  /** Why calls are slower than they might be. */
  notes: string[];
  warnings: string[];
};

/** Something in the source that cannot be in an executable. */
export type Fault = { message: string; hint: string };
