import type { Catalog } from "./answers.ts";
import type { Tool } from "./tool.ts";

/** Who runs the tool, where it is not its own source file. */
export type Host = {
  /** In an executable: what the build froze. */
  catalog?: Catalog;
  /** In an executable: the tool that runs, which is the one that was frozen. */
  runner?: Tool;
  /** In an executable: gives the frames of a stack their places in the source. */
  mapStack?: (stack: string) => string;
  /** Whether what a build found to be lazy is made when it is asked for; a build that looks makes it twice. */
  lazy?: boolean | "twice";
  /** In a build: told of a run instead of letting it happen. */
  observe?: (tool: Tool, argv: readonly string[]) => void;
};

/** Shared by the entry and the tool that it loads; empty in source. */
export const host: Host = {};
