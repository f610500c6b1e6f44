import { EXIT } from "../contract/problems.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { once } from "../text/once.ts";
import type { Call } from "./io/call.ts";
import type { Terminal } from "./io/terminal.ts";
import { report } from "./output/report.ts";
import { parse, type Start, version } from "./program.ts";

// The help needs no service.
const loadOpening = once(() => import("./input/manuscript-file.ts"));

/** Runs a command line, without the program's own name, and returns its exit code. Never throws, never ends the process. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.done;
  const own = beforeRest(argv);
  const rest = own.length === argv.length ? undefined : argv.slice(own.length + 1);
  const fail = (code: number) => {
    exit = code;
  };
  const start: Start = async (row, call, given) => {
    const command = await row.load();
    let manuscript: Manuscript | undefined;
    const open: Call["open"] = async (how) => {
      const { openNamed } = await loadOpening();
      manuscript ??= openNamed({ ...call, terminal }, how);
      return manuscript;
    };
    try {
      const isDry = given.dryRun === true;
      const caller = { source: "cli", dryRun: isDry, skipsEmpty: true } as const;
      await command({ ...call, terminal, rest, isDry, caller, fail, open }, given as never); // as the row asks for it
    } finally {
      manuscript?.close();
    }
  };
  if (argv[0] === "complete") {
    const { complete } = await import("./complete/complete.ts");
    await complete(argv.slice(1), terminal);
    return EXIT.done;
  }
  try {
    if (asksVersions(own)) {
      const { printVersions } = await import("./output/versions.ts");
      await printVersions(terminal, version(), own.includes("--json"));
    } else await parse(argv, terminal, start);
    return exit;
  } catch (thrown) {
    const reported = await report(terminal, thrown, own.includes("--json"));
    return reported === EXIT.failed && exit !== EXIT.done ? exit : reported;
  }
}

/** True for `--version --verbose`, in either order, with `--json` or not. */
function asksVersions(argv: readonly string[]): boolean {
  const words = argv.filter((word) => word !== "--json");
  const version = words.find((word) => /^(?:-v|-V|--version)$/.test(word));
  return words.length === 2 && version !== undefined && words.includes("--verbose");
}

/** The words that are the command line's own: what follows `--` is another program's. */
function beforeRest(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}
