import { type Manuscript, type Network, openManuscript } from "../../service/manuscript.ts";
import type { Call } from "../io/call.ts";
import type { Terminal } from "../io/terminal.ts";
import { theManuscriptFile } from "./manuscript-file.ts";

/** Opens the manuscript that a call is about. */
export function openNamed(
  call: Pick<Call, "file" | "terminal">,
  how: Parameters<Call["open"]>[0] = {},
): Manuscript {
  return openManuscript(theManuscriptFile(call), { ...how, network: networkOf(call.terminal) });
}

/** The way to a language model: its key comes from the environment, for what is in a file or a command line is seen. */
export function networkOf({ env, fetch }: Pick<Terminal, "env" | "fetch">): Partial<Network> {
  const key = env.MANUSCRIPT_LLM_KEY?.trim();
  return { ...(key ? { key } : {}), ...(fetch === undefined ? {} : { fetch }) };
}
