import { runSession } from "./sessions.ts";

// `node --import tsx test/page/merge-fuzz.ts [SESSIONS] [SEED]`: random two-sided sessions, how many clash, and what is wrong.
const sessions = Number(process.argv[2] ?? 6000);
const first = Number(process.argv[3] ?? 1);
let clashes = 0;
const faulty: number[] = [];
for (let seed = first; seed < first + sessions; seed++) {
  const outcome = runSession(seed);
  clashes += outcome.clashes;
  if (outcome.faults.length === 0) continue;
  if (faulty.length < 3) console.error(`seed ${seed}: ${outcome.faults.join("; ")}\n${outcome.told}\n`);
  faulty.push(seed);
}
console.log(JSON.stringify({ sessions, clashes, faulty: faulty.length }));
if (faulty.length > 0) process.exitCode = 1;
