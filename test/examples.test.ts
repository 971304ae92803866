import { readdirSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compiled, inSource, onNode, type Ran, run } from "./harness.ts";

const examples = suite("examples");

/** What is typed after the tool's name, and the whole line that it prints. */
type Row = [args: string[], line: string];

const math: Row[] = [
  [["multiply", "--a", "6", "--b", "7"], `{"ok":true,"message":"multiplied","product":42}`],
  [["multiply", "--a=-.5", "--b", "-1e3"], `{"ok":true,"message":"multiplied","product":500}`],
  [["multiply", "--input-json", `{"a":6,"b":7}`], `{"ok":true,"message":"multiplied","product":42}`],
  [["divide", "--a", "1", "--b", "8"], `{"ok":true,"message":"divided","quotient":0.125}`],
  [["divide", "--a", "1", "--b", "0"], `{"ok":false,"error":"division_by_zero","message":"cannot divide 1 by zero"}`],
];

const changeset: Row[] = [
  [
    ["size", "--files", "12", "--additions", "340", "--deletions", "50"],
    `{"ok":true,"message":"changeset classified as large","classification":"large","total_lines":390}`,
  ],
  [
    ["size", "--files", "1", "--additions", "2"],
    `{"ok":true,"message":"changeset classified as small","classification":"small","total_lines":2}`,
  ],
  [
    ["areas", "--path", "src/a.ts", "--path", "test/a.test.ts", "--path", "README.md", "--path", "src/b.ts"],
    `{"ok":true,"message":"4 files changed","code":2,"tests":1,"docs":1}`,
  ],
  [
    ["review", "--size", "small"],
    `{"ok":true,"message":"how to review a small changeset","instructions":"1. Read the diff once, from top to bottom.\\n2. Name the test that would fail without it."}`,
  ],
  [["version"], `{"ok":true,"message":"changeset 1.0.0","name":"changeset","version":"1.0.0"}`],
];

const tasks: Row[] = [
  [
    ["list", "--file", "examples/plan.md"],
    `{"ok":true,"message":"3 tasks","tasks":[{"line":3,"text":"Copy the old page","done":true},{"line":4,"text":"Move the tests","done":false},{"line":5,"text":"Redirect the old address","done":false}]}`,
  ],
  [
    ["progress", "--file", "examples/plan.md"],
    `{"ok":true,"message":"1 of 3 tasks done","classification":"started","done":1,"open":2}`,
  ],
  [
    ["next", "--file", "examples/plan.md"],
    `{"ok":true,"message":"Move the tests","instructions":"1. Move the tests\\n2. Put an x between the brackets on line 4 of examples/plan.md.","line":4}`,
  ],
  [
    ["next", "--file", "nowhere.md"],
    `{"ok":false,"error":"file_unreadable","message":"cannot read nowhere.md","detail":{"reason":"ENOENT"}}`,
  ],
  [
    ["list", "--file", "examples/math.ts"],
    `{"ok":false,"error":"no_tasks","message":"no tasks in examples/math.ts","detail":"a task is a line such as: - [ ] Write the tests"}`,
  ],
];

const seed: Row[] = [
  [["multiply", "--a", "6", "--b", "7"], `{"ok":true,"message":"multiplied","product":42}`],
  [["greet", "--name", "Ada"], `{"ok":true,"message":"greeted Ada","greeting":"hello Ada"}`],
  [["report"], `{"ok":true,"message":"report generated (level=info)","classification":"info"}`],
  [["report", "--level", "debug"], `{"ok":true,"message":"report generated (level=debug)","classification":"debug"}`],
  [
    ["instruct"],
    `{"ok":true,"message":"instructions generated","instructions":"## Step 1\\nDo the thing.","topic":"setup"}`,
  ],
  [
    ["validate", "--path", "a.json"],
    `{"ok":false,"error":"validation_failed","message":"Config at 'a.json' is invalid"}`,
  ],
  [
    ["validate", "--path", "a.json", "--why", "text"],
    `{"ok":false,"error":"validation_failed","message":"Config at 'a.json' is invalid","detail":"line 3"}`,
  ],
  [
    ["validate", "--path", "a.json", "--why", "object"],
    `{"ok":false,"error":"validation_failed","message":"Config at 'a.json' is invalid","detail":{"line":3}}`,
  ],
];

/** The failures that the framework answers for the handlers of the seed. */
const failures: Row[] = [
  [
    ["greet", "--name", "Ada", "--nope", "1"],
    `{"ok":false,"error":"input_validation_error","message":"the input was refused","detail":"unknown flag --nope","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false},"issues":[{"path":[],"code":"unrecognized_keys","message":"unknown flag --nope","flag":"--nope"}]}`,
  ],
  [
    ["drift"],
    `{"ok":false,"error":"schema_violation","message":"the handler's output breaks its schema","detail":"total: Invalid input: expected number, received string","issues":[{"path":["total"],"code":"invalid_type","message":"Invalid input: expected number, received string"}]}`,
  ],
  [
    ["nothing"],
    `{"ok":false,"error":"non_object_return","message":"the handler returned null instead of a plain object"}`,
  ],
  [["crash"], `{"ok":false,"error":"unexpected_error","message":"the disk is on fire"}`],
];

const tools = [
  { file: "examples/math.ts", subcommands: ["multiply", "divide"], rows: [...math, ...descriptions()] },
  { file: "examples/changeset.ts", subcommands: ["areas", "size", "review"], rows: changeset },
  { file: "examples/tasks.ts", subcommands: ["list", "progress", "next"], rows: tasks },
  {
    file: "test/fixtures/seed.ts",
    subcommands: ["multiply", "greet", "report", "instruct", "validate", "drift", "nothing", "crash"],
    rows: [...seed, ...failures],
  },
];

const ways = {
  "in source": inSource,
  "on Node": onNode,
  compiled: async (file: string, args: string[]) => run(await compiled(file), args),
};

for (const { file, subcommands, rows } of tools) {
  for (const [name, way] of Object.entries(ways)) {
    examples(`${file} ${name}`, async () => {
      for (const [args, line] of rows) assert.equal(await way(file, args), printed(line), args.join(" "));
    });
  }

  examples(`${file} describes itself with the same bytes in source, on Node and compiled`, async () => {
    const [subcommand = ""] = subcommands;
    const asked = file === "examples/math.ts" ? askedOtherwise(subcommand) : [];
    for (const args of [...described(subcommand), ...asked]) {
      const [expected, ...others] = await Promise.all(Object.values(ways).map((way) => way(file, args)));
      for (const other of others) assert.equal(other, expected, args.join(" "));
      assert.equal(expected, printed(JSON.stringify(JSON.parse(expected?.stdout ?? ""))), args.join(" "));
    }
  });

  examples(`${file} lists all of its subcommands`, async () => {
    const { schemas } = JSON.parse((await inSource(file, ["schema"])).stdout);
    assert.equal(Object.keys(schemas), subcommands);
  });
}

for (const way of [inSource, onNode]) {
  examples(`invoke answers ${way === onNode ? "on Node" : "in source"}`, async () => {
    assert.equal(await way("test/fixtures/invoke.ts"), printed(`{"ok":true,"message":"multiplied","product":42}`));
  });
}

examples("every example is here", () => {
  const files = readdirSync("examples").filter((file) => file.endsWith(".ts"));
  assert.equal(
    files.map((file) => `examples/${file}`).sort(),
    tools
      .map(({ file }) => file)
      .filter((file) => file.startsWith("examples/"))
      .sort(),
  );
});

examples.run();

function printed(line: string): Ran {
  return { stdout: `${line}\n`, stderr: "", code: 0 };
}

/** What a tool says of itself, and of a call that comes to nothing. */
function described(subcommand: string): string[][] {
  return [
    [],
    ["nope"],
    ["schema"],
    ["schema", subcommand],
    ["schema", "nope"],
    ["help"],
    [subcommand, "--help"],
    ["version"],
    [subcommand, "--nope"],
  ];
}

/** Other ways to ask for the same; one tool is enough. */
function askedOtherwise(subcommand: string): string[][] {
  return [
    ["--schema"],
    [subcommand, "--schema"],
    ["--help"],
    ["-h"],
    ["help", "--json"],
    ["help", subcommand],
    [subcommand, "-h"],
    ["--version"],
  ];
}

function descriptions(): Row[] {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const input = {
    $schema,
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  };
  const output = (field: string) => ({
    $schema,
    type: "object",
    properties: { ok: { type: "boolean", const: true }, message: { type: "string" }, [field]: { type: "number" } },
    required: ["ok", "message", field],
    additionalProperties: false,
  });
  const multiply = { name: "multiply", description: "Multiply a by b", input_schema: input };
  const divide = { name: "divide", description: "Divide a by b", input_schema: input };
  const help = { ok: true, message: "Arithmetic on two numbers", tool: { name: "math" } };
  const unknown = { ok: false, error: "unknown_subcommand" };
  const schemas = {
    multiply: { input, output: output("product") },
    divide: { input, output: output("quotient") },
  };
  const answers: [args: string[], envelope: object][] = [
    [["help"], { ...help, subcommands: [multiply, divide] }],
    [["divide", "--help"], { ...help, subcommands: [divide] }],
    [["schema"], { ok: true, message: "the JSON Schema of every subcommand", schemas }],
    [[], { ...unknown, message: "no subcommand was given", subcommands: [multiply, divide] }],
  ];
  return answers.map(([args, envelope]) => [args, JSON.stringify(envelope)]);
}
