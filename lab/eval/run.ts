import { spawnSync } from "node:child_process";
import { join } from "node:path";

// Each suite in a process of its own: `npm run eval -- names links` runs those two. Texts are found by
// MANUSCRIPT_LITBANK, for "check", "synopsis" and "word" by MANUSCRIPT_CORPUS, for "documents" by MANUSCRIPT_DOCUMENTS.
const SUITES = [
  "names",
  "links",
  "check",
  "synopsis",
  "word",
  "documents",
  "passages",
  "natural",
  "drift",
  "calibration",
] as const;
const asked = process.argv.slice(2);
const chosen = SUITES.filter((suite) => asked.length === 0 || asked.includes(suite));
if (chosen.length === 0) throw new Error(`no such suite; there are ${SUITES.join(", ")}`);
for (const suite of chosen) {
  const file = join(import.meta.dirname, `${suite}.ts`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", file], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
