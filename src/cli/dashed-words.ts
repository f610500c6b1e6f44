import { GROUPS } from "./rows/groups.ts";
import { FILE, HELP, JSON_ANSWER } from "./rows/help.ts";
import type { CommandRow, OptionRow } from "./rows/rows.ts";

/**
 * The command line of a command whose words may begin with a dash, as in `search 1 whale --limit 5 -ship`: its options
 * first, then `--`, then its words in their order. Any other command line as it is.
 */
export async function dashedWordsLast(argv: readonly string[]): Promise<readonly string[]> {
  const at = commandAt(argv);
  const row = await rowOf(argv[at]);
  if (row?.dashedWords !== true) return argv;
  const known = [...row.options, FILE, JSON_ANSWER, HELP];
  const options: string[] = [];
  const words: string[] = [];
  for (let next = at + 1; next < argv.length; next++) {
    const word = argv[next]!; // below the length
    if (word === "--") {
      words.push(...argv.slice(next + 1));
      break;
    }
    const option = known.find((one) => namesOf(one).includes(word));
    if (option === undefined && !word.startsWith("--")) words.push(word);
    else options.push(word, ...(option?.flags.includes("<") ? argv.slice(next + 1, ++next + 1) : []));
  }
  return [...argv.slice(0, at + 1), ...options, "--", ...words];
}

/** Where the command's name stands: behind the options of the program itself. */
function commandAt(argv: readonly string[]): number {
  let at = 0;
  while (argv[at]?.startsWith("-")) at += namesOf(FILE).includes(argv[at] ?? "") ? 2 : 1;
  return at;
}

async function rowOf(name: string | undefined): Promise<CommandRow | undefined> {
  const group = GROUPS.find(({ names }) => names.includes(name ?? ""));
  return (await group?.load())?.ROWS.find((row) => row.name === name);
}

function namesOf({ flags }: OptionRow): string[] {
  return flags.replace(/ [<[].*/, "").split(", ");
}
