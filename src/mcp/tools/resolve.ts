import { deleteSnippet, theSnippet, updateSnippet } from "../../service/annotations/snippets.ts";
import { rejectProposal } from "../../service/review/reject-proposal.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** A note that is dealt with, or a proposal of the agent's own that it takes back. */
export function resolve({ manuscript, caller }: ToolAsking, { id }: ToolInput<"resolve">): string {
  if (id.startsWith("prop_")) {
    const { act } = rejectProposal(manuscript, id, {}, { ...caller, ownOnly: true }); // others are the writer's to decide
    return `Withdrew ${id}, act ${act}.`;
  }
  return manuscript.store.together(() => {
    const { kind, text, url, items } = theSnippet(manuscript, id);
    if (items?.some(({ done }) => !done)) {
      const ticked = items.map((item) => ({ ...item, done: true }));
      const { act } = updateSnippet(manuscript, id, { kind, text, url, items: ticked }, caller);
      return `Ticked off ${id}, act ${act}. Resolve it again to take it away.`;
    }
    return `Took ${id} away, act ${deleteSnippet(manuscript, id, caller).act}.`;
  });
}
