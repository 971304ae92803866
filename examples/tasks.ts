#!/usr/bin/env bun
import { readFile } from "node:fs/promises";
import { l1Output, l2Output, l3Output, Tool, ToolError } from "@code-first-agents/tool";
import { z } from "zod";

const input = z.object({ file: z.string().describe("a Markdown file with a task list") }).strict();
const count = z.int().nonnegative();
const task = z.object({ line: count, text: z.string(), done: z.boolean() });
const progress = z.enum(["untouched", "started", "finished"]);

const tool = new Tool({ name: "tasks", description: "Follow the task list of a Markdown file" });

tool.subcommand({
  name: "list",
  description: "List every task with its line",
  input,
  output: l1Output({ tasks: z.array(task) }),
  handler: async ({ file }) => {
    const tasks = await readTasks(file);
    return { message: `${tasks.length} tasks`, tasks };
  },
});

tool.subcommand({
  name: "progress",
  description: "Tell how far the work is",
  input,
  output: l2Output(progress, { done: count, open: count }),
  handler: async ({ file }) => {
    const tasks = await readTasks(file);
    const done = tasks.filter((task) => task.done).length;
    const open = tasks.length - done;
    return { message: `${done} of ${tasks.length} tasks done`, classification: progressOf(done, open), done, open };
  },
});

tool.subcommand({
  name: "next",
  description: "Say what to do next",
  input,
  output: l3Output({ line: count }),
  handler: async ({ file }) => {
    const next = (await readTasks(file)).find((task) => !task.done);
    if (!next) throw new ToolError("nothing_left", `every task in ${file} is done`);
    const { line, text } = next;
    return {
      message: text,
      instructions: `1. ${text}\n2. Put an x between the brackets on line ${line} of ${file}.`,
      line,
    };
  },
});

await tool.run();

function progressOf(done: number, open: number): z.infer<typeof progress> {
  if (done === 0) return "untouched";
  return open > 0 ? "started" : "finished";
}

async function readTasks(file: string) {
  const markdown = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ToolError("file_unreadable", `cannot read ${file}`, { reason: error.code });
  });
  const tasks = markdown.split(/\r?\n/).flatMap((content, index) => {
    const [, mark, text] = /^\s*- \[([ x])\] (.+)$/.exec(content) ?? [];
    return text ? [{ line: index + 1, text, done: mark === "x" }] : [];
  });
  if (tasks.length === 0)
    throw new ToolError("no_tasks", `no tasks in ${file}`, "a task is a line such as: - [ ] Write the tests");
  return tasks;
}
