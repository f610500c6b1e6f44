import { type Manuscript, openManuscript } from "../../service/manuscript.ts";
import type { Call } from "../io/call.ts";
import type { Terminal } from "../io/terminal.ts";
import { theManuscriptFile } from "./manuscript-file.ts";

/** Opens the manuscript that the call is about, and closes it when `use` is done, however it ends. */
export async function withManuscript<Result>(
  call: Call,
  use: (manuscript: Manuscript) => Result | Promise<Result>,
): Promise<Result> {
  const manuscript = openManuscript(theManuscriptFile(call), { network: networkOf(call.terminal) });
  try {
    return await use(manuscript);
  } finally {
    manuscript.close();
  }
}

/** The way to a language model: its key comes from the environment, for what is in a file or a command line is seen. */
export function networkOf({ env }: Pick<Terminal, "env">): { key?: string } {
  const key = env.MANUSCRIPT_LLM_KEY?.trim();
  return key ? { key } : {};
}
