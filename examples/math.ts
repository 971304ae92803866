#!/usr/bin/env bun
import { l1Output, Tool, ToolError } from "@code-first-agents/tool";
import { z } from "zod";

const input = z.object({ a: z.number(), b: z.number() }).strict();

const tool = new Tool({ name: "math", description: "Arithmetic on two numbers" });

tool.subcommand({
  name: "multiply",
  description: "Multiply a by b",
  input,
  output: l1Output({ product: z.number() }),
  handler: ({ a, b }) => ({ message: "multiplied", product: a * b }),
});

tool.subcommand({
  name: "divide",
  description: "Divide a by b",
  input,
  output: l1Output({ quotient: z.number() }),
  handler: ({ a, b }) => {
    if (b === 0) throw new ToolError("division_by_zero", `cannot divide ${a} by zero`);
    return { message: "divided", quotient: a / b };
  },
});

tool.run(process.argv.slice(2));
