#!/usr/bin/env bun
import { Tool } from "@code-first-agents/tool";
import { z } from "zod";

const count = z.int().nonnegative();
const size = z.enum(["small", "medium", "large"]);

const steps = {
  small: ["Read the diff once, from top to bottom.", "Name the test that would fail without it."],
  medium: ["Read the tests first.", "Read the code with them in mind.", "List what no test covers."],
  large: [
    "Ask whether it can be split, and say where.",
    "Read the public interfaces only, and note what changed for callers.",
    "Review one folder at a time, tests first.",
  ],
};

const tool = new Tool({ name: "changeset", description: "Prepare the review of a changeset", version: "1.0.0" });

tool.dataSubcommand({
  name: "areas",
  description: "Count the changed files in code, tests and docs",
  input: z.object({ path: z.array(z.string()).min(1).describe("a changed file; repeat for each") }).strict(),
  output: { code: count, tests: count, docs: count },
  handler: ({ path: paths }) => {
    const files = { code: 0, tests: 0, docs: 0 };
    for (const path of paths) files[areaOf(path)] += 1;
    return { message: `${paths.length} files changed`, ...files };
  },
});

tool.classificationSubcommand({
  name: "size",
  description: "Tell a small changeset from a medium and a large one",
  input: z.object({ files: count, additions: count, deletions: count.default(0) }).strict(),
  output: { classification: size, total_lines: count },
  handler: ({ files, additions, deletions }) => {
    const lines = additions + deletions;
    const classification = sizeOf(files, lines);
    return { message: `changeset classified as ${classification}`, classification, total_lines: lines };
  },
});

tool.procedureSubcommand({
  name: "review",
  description: "Say how to review a changeset of that size",
  input: z.object({ size }).strict(),
  handler: ({ size }) => ({
    message: `how to review a ${size} changeset`,
    instructions: steps[size].map((step, index) => `${index + 1}. ${step}`).join("\n"),
  }),
});

tool.run(process.argv.slice(2));

function areaOf(path: string) {
  if (/\.(test|spec)\.|^tests?\//.test(path)) return "tests";
  return /\.md$|^docs\//.test(path) ? "docs" : "code";
}

function sizeOf(files: number, lines: number): z.infer<typeof size> {
  if (files <= 3 && lines <= 50) return "small";
  return files <= 10 && lines <= 250 ? "medium" : "large";
}
