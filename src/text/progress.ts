/** Called as a long run goes on, with how much of it is done, and how much all of it is. */
export type ProgressStep = (done: number, total: number) => void;

/** The step of a share of a run, which goes from one per cent of it to another; nothing is told without a step. */
export function share(step: ProgressStep | undefined, from: number, to: number): ProgressStep {
  return (done, total) => step?.(from + ((to - from) * done) / Math.max(1, total), 100);
}
