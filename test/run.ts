import { findBun } from "../build/engine/bun.ts";
import { runSuites } from "./runner.ts";

const bun = await findBun(undefined, process.cwd());
const { failed } = await runSuites({ folder: import.meta.dirname, bun: bun.path, select: process.argv.slice(2) });
process.exitCode = failed > 0 ? 1 : 0;
