import { join } from "node:path";
import type { Line, Report } from "../../lab/bench/report.ts";
import { type Measuring, readKept } from "./kept.ts";

export const PERFORMANCE = join(import.meta.dirname, "../../docs/performance.md");

/** Where the newest measurements are kept, by the name of their suite. */
export const MEASURED = join(import.meta.dirname, "../../lab/bench/measured.json");

/** What a suite reported when it was measured last. */
export interface KeptSuite extends Measuring {
  reports: readonly Report[];
}

/** `docs/performance.md`, of what is kept. */
export function performancePage(kept: Readonly<Record<string, KeptSuite>> = readKept(MEASURED)): string {
  const suites = Object.keys(kept).sort();
  return `${HEAD}\n${suites.map((name) => section(name, kept[name]!)).join("\n")}`; // its own keys
}

const HEAD = `# How fast it is, and how that was measured

Every table is a suite of \`npm run bench\`, which anyone can run: \`npm run bench -- http\` runs the one called http. This page is
written by \`npm run bench -- --write\` from what the suites said, nothing in it by hand.

- **Ratios count, times are told.** A time is that of one machine, on one day, beside whatever else ran there. A ratio is of two
  programs that took turns in the same run, so that both met the same weather. No test fails for a time.
- **CPU is what a program used**, user and system, by the system's own count. A clock on the wall also counts the turns of others.
- **Many fresh processes**, not many rounds in one: which way a process is compiled is settled by chance when it starts.
  Where a line gives an interval, it is that in which 95 of 100 such runs would lie, by drawing from those processes again.
- **What is compared gives the same answer**, byte for byte, and that is looked at before a clock starts.
- A bar is what we want to hold; one that is missed says so.
`;

function section(name: string, { on, machine, reports }: KeptSuite): string {
  return reports
    .map(({ suite, how, cpu, cores, load, lines }) => {
      const where = `${on}, ${machine}, ${cores} × ${cpu}, load ${load.toFixed(1)}`;
      return `## ${titleOf(name, suite)}\n\n${how === undefined ? "" : `${how}\n\n`}${tableOf(lines)}\n\n_${where}_\n`;
    })
    .join("\n");
}

/** "http: GET of a chapter", whether the suite says its own name or not. */
function titleOf(name: string, suite: string): string {
  return suite === name || suite.startsWith(`${name}:`) ? suite : `${name}: ${suite}`;
}

function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ what, value, unit, bar = "", met }) => {
    const state = met === undefined ? "" : met ? "met" : "missed";
    return `| ${[what, `${value} ${unit}`, bar, state].map(cell).join(" | ")} |`;
  });
  return ["| what | measured | bar | |", "|---|---|---|---|", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}
