import { readFileSync, writeFileSync } from "node:fs";
import { ASK, tellNames } from "./exported.ts";
import { isFault, makeGraph } from "./graph.ts";
import type { Answer, Request } from "./request.ts";

// Run by the engine, which resolves, parses and imports here as it does where it runs the source.
const [, , ...words] = process.argv;
if (words[0] === ASK) tellNames(words[1] ?? "", words[2] ?? "");
const [asked = "", answered = ""] = words;
const request = JSON.parse(readFileSync(asked, "utf8")) as Request;
const answer: Answer = await makeGraph(request).catch((error: unknown) => {
  if (isFault(error)) return { fault: error.fault };
  throw error;
});
writeFileSync(answered, JSON.stringify(answer));
