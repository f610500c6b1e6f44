import { type Face, type HelpfulCall, Refusal } from "../../refusals.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { cutTokens } from "../../text/weigh-tokens.ts";
import { withoutKeys } from "../../text/without-keys.ts";
import type { Tool, ToolAsking } from "../tool/tool.ts";

/** What a call is answered: text, and whether it failed. */
export interface CallAnswer {
  content: [{ type: "text"; text: string }];
  isError?: true;
}

/** What a call needs besides the tool: the file as it is now, by whom it is asked for, and who is told of faults. */
export interface Surrounding {
  /** Throws if the file is not there, or damaged. */
  open: () => Manuscript;
  by: string;
  /** It may change notes and proposals only where it made them itself. */
  ownOnly?: boolean;
  log: (line: string) => void;
}

/** What the tool answers. Never throws: a refusal says what to do, a fault that there was one. */
export async function answerCall(
  tools: readonly Tool[],
  { name, args }: { name: string; args: unknown },
  { open, by, ownOnly = false, log }: Surrounding,
): Promise<CallAnswer> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return failed(
      `There is no tool "${name.slice(0, 100)}"; there are ${tools.map((one) => one.name).join(", ")}.`,
    );
  try {
    const asking = (): ToolAsking => ({ manuscript: open(), caller: { source: "mcp", byName: by, ownOnly } });
    return { content: [{ type: "text", text: withoutKeys(await tool.call(asking, args)) }] };
  } catch (error) {
    if (error instanceof Refusal) return failed(error.wordedFor(AGENT));
    log(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failed(`${name} failed by a fault of this program; nothing was written. Its log says more.`);
  }
}

function failed(message: string): CallAnswer {
  // What was sent may be told again, however long it is.
  const text = cutTokens(withoutKeys(message), REFUSAL_TOKENS, (left) => `(${left} characters more)`);
  return { content: [{ type: "text", text }], isError: true };
}

/** A refusal may show a paragraph, as long as an answer, with some words around it. */
const REFUSAL_TOKENS = 5300;

/** Tools, or words, that replace a call for an agent. A call that agents cannot make has none. */
export const TOOLS: Readonly<Partial<Record<HelpfulCall, string>>> = {
  listBooks: "read_outline",
  readOutline: "read_outline",
  readChapter: "read_chapter",
  listRevisions: "history with chapter",
  listFacts: "read_cast",
  listSnippets: "list_notes",
  listProposals: "list_proposals",
  readProposal: "list_proposals with id",
  listActs: "history",
  insertParagraphs: "an edit that inserts",
  deleteParagraph: "an edit that deletes",
};

/** A refusal names tools, and speaks of notes. */
const AGENT: Face = { nameOf: ({ call }) => TOOLS[call], nouns: { snippet: "note" } };
