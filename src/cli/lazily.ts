import type { Command } from "commander";
import type { Call } from "./call.ts";
import type { Terminal } from "./terminal.ts";

/** What a command does: the call, then its arguments in order, then its options. */
type Run<Given extends unknown[]> = (call: Call, ...given: Given) => Promise<void>;

/** Makes commander's action of a command that is loaded only when it is called. */
export type Lazily = <Given extends unknown[]>(
  load: () => Promise<Run<Given>>,
) => (...given: unknown[]) => Promise<void>;

/** Actions that load their command when called: the help and every other command cost nothing of it. */
export function lazily(terminal: Terminal, fail: (exit: number) => void): Lazily {
  return <Given extends unknown[]>(load: () => Promise<Run<Given>>) =>
    async (...given) => {
      const command = given.at(-1) as Command; // commander's last argument
      const { json = false, file } = command.optsWithGlobals<{ json?: boolean; file?: string }>();
      const run = await load();
      await run({ terminal, json, file, fail }, ...(given.slice(0, -1) as Given));
    };
}

/** The end of a help text. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  manuscript ${line}`).join("\n")}`;
}

/** Collects an option that may be given several times. */
export function collected(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}
