export type StepName = "plan" | "fetch" | "bundle" | "evaluate" | "render" | "compile" | "seal" | "verify" | "pack";

export type Stopwatch = ReturnType<typeof stopwatch>;

/** Runs the steps of a build, telling of each as it starts and adding up the milliseconds that it took for all targets. */
export function stopwatch(onStep: (name: StepName, target?: string) => void = () => {}) {
  const ms: Partial<Record<StepName, number>> = {};
  async function step<T>(name: StepName, work: () => T | Promise<T>, target?: string): Promise<T> {
    onStep(name, target);
    const start = performance.now();
    const result = await work();
    ms[name] = (ms[name] ?? 0) + Math.round(performance.now() - start);
    return result;
  }
  return { step, ms };
}
