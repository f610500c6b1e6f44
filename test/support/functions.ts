import { files, read } from "./source.ts";

// In this order: what looks like a comment in a string is none, and the other way round.
const NOT_CODE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=(?:^|[(,=:[!&|?{};]|return|=>)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** A text without its comments, and with nothing in its strings and regular expressions; its lines stay where they are. */
function codeOf(text: string): string {
  return text.replace(NOT_CODE, (found) => {
    const lines = "\n".repeat(found.split("\n").length - 1);
    return /^\/[/*]/.test(found) ? lines : `""${lines}`;
  });
}

const FUNCTION = /^(?:export )?(?:async )?function\*? ?(\w+)/;
/** The commands of a file are functions of their own, as a class's methods are. */
const CONSTANT = /^(?:export )?const (?!COMMANDS: CommandsOf<)(\w+)\b/;
const COMMAND = /^ {2}(?:""|\w+): (?:async )?\(/;
const METHOD =
  /^ {2}(?!(?:if|for|while|switch|return)\b)(?:(?:static|async|get|set) )*\*?(#?\w+)(?:<.*?>)?\(/;
const BRANCH = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?\?|(?<=\s)\?(?=\s)/g;

/**
 * How many branches each function, method, command and constant of a text holds, those of the functions inside it too: `if`,
 * `for`, `while`, `case`, `catch`, `&&`, `||`, `??` and `? :`. The formatter indents all that belongs to one.
 */
export function branchesIn(text: string): { name: string; branches: number }[] {
  const lines = codeOf(text).split("\n");
  return lines.flatMap((line, start) => {
    const method = METHOD.exec(line)?.[1] ?? COMMAND.exec(line)?.[0];
    const name = (FUNCTION.exec(line) ?? CONSTANT.exec(line))?.[1] ?? method;
    if (name === undefined) return [];
    const beside = method === undefined ? /^[^\s)}\]]/ : /^(?: {2})?[^\s)}\]]/;
    const length = lines.slice(start + 1).findIndex((one) => beside.test(one));
    const whole = lines.slice(start, length < 0 ? undefined : start + 1 + length);
    return [{ name, branches: whole.join("\n").match(BRANCH)?.length ?? 0 }];
  });
}

/** Where a text says with `!` that a value is there, and no comment on that line or the one above says why: line numbers. */
export function bareAssertions(text: string): number[] {
  const lines = text.split("\n");
  return codeOf(text)
    .split("\n")
    .flatMap((line, index) => {
      const isExplained = [lines[index - 1], lines[index]].some((one) => /\/\/|\*\/|^\s*\*/.test(one ?? ""));
      return /[\w)\]]!(?![=\w])/.test(line) && !isExplained ? [index + 1] : [];
    });
}

/** The files that export each name. */
export function exportedNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const file of files) {
    const found = read(file).matchAll(
      /^export (?:async )?(?:abstract )?(?:function\*?|class|const|interface|type) (\w+)/gm,
    );
    for (const [, name = ""] of found) names.set(name, [...(names.get(name) ?? []), file]);
  }
  return names;
}
