import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chapterOf, median, report } from "./report.ts";

// CPU of whole processes, read off this one's account of its children; the command runs compiled, as users run it. The
// kernel tells it in ticks of 10 ms, so each reading is of several processes.
const ROUNDS = 8;
const TIMES = 4;
const bin = join(import.meta.dirname, "../../bin/manuscript.js");
const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const file = join(folder, "bench.manuscript");
spawn([bin, "init", file]);
for (let chapter = 1; chapter <= 40; chapter++) {
  writeFileSync(
    join(folder, `${String(chapter).padStart(2, "0")}-chapter.md`),
    `# ${chapter}\n\n${chapterOf(500, chapter)}`,
  );
}
spawn([bin, "import", folder, "--title", "Bench", "--file", file]);

// What an agent's server costs before it does anything of ours; it answers its input's end and stops.
const PACKAGE = `await import("@modelcontextprotocol/server"); await import("@modelcontextprotocol/server/stdio");`;
const COMMANDS = {
  "node -e 0": ["-e", "0"],
  "manuscript --version": [bin, "--version"],
  "manuscript outline": [bin, "outline", "Bench", "--file", file],
  "one TAB": [bin, "complete", "--", ""],
  "the protocol's package": ["--input-type=module", "-e", PACKAGE],
  "manuscript mcp": [bin, "mcp", "--file", file],
} as const;
const cpu = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  const order = Object.entries(COMMANDS);
  for (const [name, args] of round % 2 === 0 ? order : order.reverse()) cpu[name]?.push(cpuOf(args));
}
rmSync(folder, { recursive: true });

const of = (name: keyof typeof COMMANDS) => median(cpu[name] ?? []);
const version = of("manuscript --version") / of("node -e 0");
const outline = of("manuscript outline") / of("node -e 0");
const ownPackage = of("the protocol's package") - of("node -e 0");
const mcp = (of("manuscript mcp") - ownPackage) / of("node -e 0");
report(`start: CPU of whole processes, median of ${ROUNDS} times ${TIMES}`, [
  ...Object.keys(COMMANDS).map((name) => ({ what: name, value: median(cpu[name] ?? []), unit: "ms" })),
  { what: "--version ÷ node -e 0", value: version, unit: "×", bar: "≤ 1.2", met: version <= 1.2 },
  { what: "outline ÷ node -e 0", value: outline, unit: "×", bar: "≤ 1.8", met: outline <= 1.8 },
  { what: "mcp less that package ÷ node -e 0", value: mcp, unit: "×", bar: "≤ 2.5", met: mcp <= 2.5 },
  { what: "one TAB", value: of("one TAB"), unit: "ms", bar: "≤ 150", met: of("one TAB") <= 150 },
]);

/** Runs node with these arguments, one process after the other; the CPU of one in ms. */
function cpuOf(args: readonly string[]): number {
  const before = childrenCpu();
  for (let time = 0; time < TIMES; time++) spawn(args);
  return (childrenCpu() - before) / TIMES;
}

function spawn(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [...args], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
}

/** CPU of all children that have ended, in ms. schedstat is not kept for children, so cutime + cstime. Source: https://man7.org/linux/man-pages/man5/proc.5.html. */
function childrenCpu(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const TICK_MS = 10;
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
