import { rescueDamaged } from "../faults/rescue/damaged-files.ts";
import type { TrustPromise } from "./promise.ts";

const RUNS = Number(process.env.MANUSCRIPT_RUNS ?? 600);
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 18);

export const promise: TrustPromise = {
  number: 18,
  isNightly: true,
  promise: "A rescue gets everything out of a damaged file that is still in it, and hides no loss",
  bar: "zeroed, swapped, stale and misdirected pages, files and logs cut short, with and without copies (`npm run rescues`): every paragraph whose pages are intact comes back, 0 are invented, 0 are missing without a word, and the new file passes the doctor",
  measure: async () => rescueDamaged(RUNS, SEED),
};
