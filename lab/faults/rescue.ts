import { rescueDamaged } from "./rescue/damaged-files.ts";

// What a rescue gets out of damaged files. `npm run rescues`; MANUSCRIPT_SEED repeats a run, MANUSCRIPT_RUNS says how many files
// are damaged.
const runs = Number(process.env.MANUSCRIPT_RUNS ?? 600);
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));
const { figures, faults } = rescueDamaged(runs, seed);
console.log(`rescue: ${figures}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
