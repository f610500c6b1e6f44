import type { Manuscript, Surroundings } from "../../service/manuscript.ts";
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
  /** The manuscript that the call is about: opened at its first use, closed when the command has ended. */
  open(how?: Pick<Surroundings, "cacheMib">): Promise<Manuscript>;
  /** Sets the exit code of a command that has told of its outcome itself; one that then throws never ends with 1. */
  fail(exit: number): void;
}

/** Options that every write takes. */
export interface WriteOptions {
  dryRun?: boolean;
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

/**
 * The same as `reply`, for a write: says on stderr how to take it back, or that nothing was written; `remedies` are the lines for one
 * that may have changed nothing, or have been several.
 */
export async function replyWrite<Answer extends { act: string | null }>(
  call: Call,
  answer: Answer,
  show: (answer: Answer) => string,
  remedies: readonly string[] = [takeBack(answer.act, { isDry: answer.act === null })],
): Promise<void> {
  await reply(call, answer, show);
  if (call.json) return;
  for (const line of remedies) await talk(call.terminal, line);
}

/** How to undo an act, or why there is nothing to undo: it was a dry run, or it would have changed nothing. */
export function takeBack(act: string | null, { isDry }: { isDry: boolean }): string {
  if (isDry) return "Dry run: nothing was written.";
  return act === null
    ? "Nothing has changed in the manuscript."
    : `Take it back with: manuscript undo ${act}`;
}
