import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

// Node 20's own search knows no .ts files: it runs none of them and reports success.
const folder = import.meta.dirname;
const asked = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter(
    (file) => file.endsWith(".test.ts") && (asked.length === 0 || asked.some((part) => file.includes(part))),
  )
  .map((file) => join(folder, file))
  .sort();
if (files.length === 0)
  throw new Error(`no test file under ${folder} matches ${asked.join(" ") || "*.test.ts"}`);

let passed = 0;
// `true` would leave one core idle, which on two cores means one file at a time.
run({ files, concurrency: availableParallelism() })
  .on("test:pass", ({ details }) => {
    if (details.type !== "suite") passed++;
  })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .once("end", () => {
    if (passed > 0) return;
    process.exitCode = 1;
    console.error("no test ran");
  })
  .compose(new spec())
  .pipe(process.stdout);
