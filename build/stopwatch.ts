export type StepName = "plan" | "bundle" | "evaluate" | "render" | "compile" | "seal" | "verify";

/** Runs the steps of a build, telling of each as it starts and keeping how many milliseconds it took. */
export function stopwatch(onStep: (name: StepName) => void = () => {}) {
  const ms: Partial<Record<StepName, number>> = {};
  async function step<T>(name: StepName, work: () => T | Promise<T>): Promise<T> {
    onStep(name);
    const start = performance.now();
    const result = await work();
    ms[name] = Math.round(performance.now() - start);
    return result;
  }
  return { step, ms };
}
