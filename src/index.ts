export { parseArgs } from "./argv.ts";
export { validateInput } from "./check.ts";
export { jsonOutput } from "./endings.ts";
export type { ErrorEnvelope, ToolOutput } from "./envelope.ts";
export { stringifyError, ToolError } from "./errors.ts";
export {
  type ClassificationOutput,
  classificationTypeOutput,
  type DataOutput,
  dataTypeOutput,
  l1Output,
  l2Output,
  l3Output,
  type ProcedureOutput,
  procedureTypeOutput,
} from "./output.ts";
export { Tool } from "./tool.ts";
export type {
  ClassificationSubcommandSpec,
  DataSubcommandSpec,
  HandlerReturn,
  Issue,
  JsonSchema,
  ParsedArgs,
  ProcedureSubcommandSpec,
  SubcommandSpec,
  ToolMeta,
} from "./types.ts";
