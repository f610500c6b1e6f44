import type { Caller, Manuscript, Surroundings } from "../../service/manuscript.ts";
import { parseReady } from "../../service/present.ts";
import { print, type Terminal, talk } from "./terminal.ts";

/** One invocation of a command: where it reads and writes, and what every command takes. */
export interface Call {
  terminal: Terminal;
  /** Answer with one JSON object. */
  json: boolean;
  /** The manuscript that `--file` names. */
  file: string | undefined;
  /** The words behind `--`, which are among the arguments too; undefined without one. */
  rest: readonly string[] | undefined;
  /** Say what a write would do, and write nothing. */
  isDry: boolean;
  /** Caller of the service's writes. */
  caller: Pick<Caller, "source" | "dryRun" | "skipsEmpty">;
  /** The manuscript that the call is about: opened at its first use, closed when the command has ended. */
  open(how?: Pick<Surroundings, "cacheMib">): Promise<Manuscript>;
  /** Sets the exit code of a command that has told of its outcome itself; one that then throws never ends with 1. */
  fail(exit: number): void;
}

/** Prints the answer: with `--json` the object itself on one line, else what `show` makes of it, with a line end. */
export async function reply<Answer extends object>(
  { terminal, json }: Call,
  answer: Answer,
  show: (answer: Answer) => string,
): Promise<void> {
  await print(terminal, `${json ? JSON.stringify(answer) : show(answer)}\n`);
}

/** The same as `reply`, for an answer that the file made as finished bytes. */
export async function replyReady<Answer>(
  { terminal, json }: Call,
  ready: { body: Buffer; readonly answer?: Answer },
  show: (answer: Answer) => string,
): Promise<void> {
  await print(terminal, json ? ready.body : show(parseReady(ready)));
  await print(terminal, "\n");
}

/** Prints a write's answer as `reply` does; says on stderr how to take it back, or what `remedies` say. */
export async function replyWrite<Answer extends { act: string | null }>(
  call: Call,
  answer: Answer,
  show: (answer: Answer) => string,
  remedies: readonly string[] = [takeBack(call, answer)],
): Promise<void> {
  await reply(call, answer, show);
  await talkUnlessJson(call, ...remedies);
}

/** The beginning of what a write says: "Would delete " of a dry run, else `done`. */
export function would({ isDry }: Pick<Call, "isDry">, verb: string, done = ""): string {
  return isDry ? `Would ${verb} ` : done;
}

/** Returns the result of a renaming: "ch_… Calm → The Storm". */
export function renamed(
  call: Call,
  before: { title: string },
  { id, title }: { id: string; title: string },
): string {
  if (before.title === title) return `${id}  “${title}” is called so already.`;
  return `${would(call, "rename")}${id}  ${before.title} → ${title}`;
}

/** A dry run says so. */
export const DRY = "Dry run: nothing was written.";

/** Says how to undo an act, or why there is nothing to undo: it was a dry run, or it would have changed nothing. */
export function takeBack({ isDry }: Pick<Call, "isDry">, { act }: { act: string | null }): string {
  if (isDry) return DRY;
  return act === null
    ? "Nothing has changed in the manuscript."
    : `Take it back with: manuscript undo ${act}`;
}

/** Writes lines to stderr; none with `--json`, which says it all. */
export async function talkUnlessJson({ terminal, json }: Call, ...lines: readonly string[]): Promise<void> {
  if (!json) for (const line of lines) await talk(terminal, line);
}
