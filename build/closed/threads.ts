import type { Plugin } from "esbuild";

/**
 * Names that are imported from a module of the engine are bound before any code runs: `src/closed.ts` would come too late to
 * the `Worker` among them.
 */
export const threads: Plugin = {
  name: "threads",
  setup(build) {
    build.onResolve({ filter: /^(node:)?worker_threads$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "worker_threads", namespace: "cfa" } : undefined,
    );
    build.onLoad({ filter: /^worker_threads$/, namespace: "cfa" }, () => ({ contents: CONTENTS }));
  },
};

const NAMES = `BroadcastChannel, getEnvironmentData, isMainThread, markAsUntransferable, MessageChannel, MessagePort,
  moveMessagePortToContext, parentPort, receiveMessageOnPort, resourceLimits, SHARE_ENV, setEnvironmentData, threadId, Worker,
  workerData`;
const CONTENTS = `const threads = process.getBuiltinModule("node:worker_threads");
export const { ${NAMES} } = threads;
export default threads;`;
