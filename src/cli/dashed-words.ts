import { append } from "../text/extremes.ts";
import { findRow } from "./rows/groups.ts";
import { FILE, HELP, JSON_ANSWER } from "./rows/help.ts";
import { optionNames, takesValue } from "./rows/rows.ts";

/**
 * The command line of a command whose words may begin with a dash, as in `search 1 whale --limit 5 -ship`: its options
 * first, then `--`, then its words in their order. Any other command line as it is.
 */
export async function dashedWordsLast(argv: readonly string[]): Promise<readonly string[]> {
  const at = commandAt(argv);
  const row = await findRow(argv.slice(at, at + 1));
  if (row?.dashedWords !== true) return argv;
  const known = [...row.options, FILE, JSON_ANSWER, HELP];
  const options: string[] = [];
  const words: string[] = [];
  for (let next = at + 1; next < argv.length; next++) {
    const word = argv[next]!; // below the length
    if (word === "--") {
      append(words, argv.slice(next + 1));
      break;
    }
    const option = known.find((one) => optionNames(one).includes(word));
    if (option === undefined && !word.startsWith("--")) words.push(word);
    else
      options.push(
        word,
        ...(option !== undefined && takesValue(option) ? argv.slice(next + 1, ++next + 1) : []),
      );
  }
  return [...argv.slice(0, at + 1), ...options, "--", ...words];
}

/** Where the command's name stands: behind the options of the program itself. */
function commandAt(argv: readonly string[]): number {
  let at = 0;
  while (argv[at]?.startsWith("-")) at += optionNames(FILE).includes(argv[at] ?? "") ? 2 : 1;
  return at;
}
