import { spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { toLooseSchema } from "../src/convert.ts";
import { readDocument } from "../src/document.ts";
import { InputError } from "../src/errors.ts";

// The tests of stdin run this file again: it then reads what they send, and prints what it made of it.
if (process.argv[2] === "read") {
  const text = JSON.stringify(await outcome(process.argv[3] ?? ""));
  await new Promise((done) => process.stdout.write(text, done));
  process.exit(0);
}

async function outcome(source: string): Promise<unknown> {
  try {
    return await readDocument(source);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.issues.map(({ path, flag, code, message }) =>
      path.length === 0 ? `${flag} ${code} ${message}` : path,
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), "cfa-document-"));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return `@${join(folder, name)}`;
};
const refused = (code: string, message: string) => [`--input-json ${code} --input-json: ${message}`];

const documents = suite("readDocument");
documents.after(() => rmSync(folder, { recursive: true }));

const texts: [text: string, result: unknown][] = [
  ['{"a":1}', { a: 1 }],
  ['\uFEFF{"a":\r\n"x"}\r\n', { a: "x" }],
  ["{}", {}],
  [" ", refused("missing_value", "expected one JSON object, got nothing")],
  ["[1]", refused("invalid_type", "expected one JSON object, got an array")],
  ["null", refused("invalid_type", 'expected one JSON object, got "null"')],
  ['{"a":1} {"b":2}', refused("invalid_format", 'expected JSON, got "{\\"a\\":1} {\\"b\\":2}"')],
  [
    '{"a":9007199254740993}',
    refused("invalid_value", 'expected numbers that a double can hold, got "9007199254740993"'),
  ],
];
/** A refusal without what stands in brackets: the words of the engine. */
const withoutEngine = (result: unknown) =>
  Array.isArray(result) ? result.map((line) => line.replace(/ \(.*\)$/, "")) : result;
for (const [text, result] of texts) {
  documents(`reads ${JSON.stringify(text)}`, async () => {
    assert.equal(withoutEngine(await outcome(text)), result);
    assert.equal(withoutEngine(await outcome(file("document.json", text))), result);
  });
}
const coerced = await toLooseSchema(
  z.object({
    n: z.coerce.number().optional(),
    b: z.coerce.boolean().optional(),
    o: z.object({ n: z.coerce.number() }).optional(),
  }),
);
const conformed: [text: string, result: unknown][] = [
  ['{"n":"5","b":"no"}', { n: "5", b: false }],
  ['{"n":5,"b":true,"o":{"n":"1"}}', { n: 5, b: true, o: { n: "1" } }],
  ['{"n":""}', 'n: expected a number, got ""'],
  ['{"n":null}', "n: expected a number, got null"],
  ['{"b":"maybe"}', 'b: expected true or false, got "maybe"'],
  ['{"o":{"n":true}}', "o.n: expected a number, got true"],
];
for (const [text, result] of conformed) {
  documents(`lets z.coerce make nothing else of ${text}`, async () => {
    const outcome = await readDocument(text, coerced).catch((error: InputError) => error.issues[0]?.message);
    assert.equal(outcome, typeof result === "string" ? `--input-json: ${result}` : result);
  });
}
documents("keeps __proto__ as a key", async () =>
  assert.equal(Object.entries(await readDocument('{"__proto__":1}')), [["__proto__", 1]]),
);
documents("says what is wrong with broken JSON", async () => {
  const [message] = (await outcome(`{"'":"\\"}",`)) as string[];
  assert.match(message ?? "", /^--input-json invalid_format --input-json: expected JSON, got "\{.*," \(.+\)$/);
});

const files: [source: string, result: unknown][] = [
  [
    file("latin.json", Uint8Array.of(0x7b, 0xe4, 0x7d)),
    refused("invalid_format", `"${folder}/latin.json" is not UTF-8 text`),
  ],
  [`@${folder}`, refused("invalid_value", `cannot read "${folder}": it is a folder`)],
  [`@${folder}/none`, refused("invalid_value", `cannot read "${folder}/none": no such file`)],
  ["@", refused("invalid_value", "expected the name of a file behind @")],
  ["@a\0b", refused("invalid_value", 'cannot read "a\\u0000b": ERR_INVALID_ARG_VALUE')],
];
for (const [source, result] of files) {
  documents(`reads ${JSON.stringify(source.replace(folder, ""))}`, async () =>
    assert.equal(await outcome(source), result),
  );
}

const large = JSON.stringify({ text: 'x\\"12345678901234567890'.repeat(100_000), numbers: Array(100_000).fill(1e15) });
documents("reads 3 MB from a file", async () =>
  assert.is(JSON.stringify(await outcome(file("large.json", large))), large),
);

/** What this file makes of `-` when it runs with this stdin. */
async function outcomeOf(stdin: number | string | Uint8Array): Promise<string> {
  const script = process.argv[1] ?? "";
  const child = spawn(process.execPath, [script, "read", "-"], {
    stdio: [typeof stdin === "number" ? stdin : "pipe", "pipe", 2],
  });
  if (typeof stdin !== "number") child.stdin?.end(stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const streams: [name: string, stdin: () => number | string | Uint8Array, result: unknown][] = [
  ["a pipe", () => '\uFEFF{"a":1}\r\n', { a: 1 }],
  ["3 MB in a pipe", () => large, JSON.parse(large)],
  ["an empty pipe", () => "", refused("missing_value", "expected one JSON object, got nothing")],
  ["a file", () => openSync(file("stdin.json", '{"a":1}').slice(1), "r"), { a: 1 }],
  ["/dev/null", () => openSync("/dev/null", "r"), refused("missing_value", "expected one JSON object, got nothing")],
  ["bytes", () => Uint8Array.of(0xff, 0xfe), refused("invalid_format", "standard input is not UTF-8 text")],
];
for (const [name, stdin, result] of streams) {
  documents(`reads standard input: ${name}`, async () => assert.equal(JSON.parse(await outcomeOf(stdin())), result));
}
documents.run();
