import { ask } from "../../../api/ask.ts";
import { asProblem } from "../../../api/problem.ts";
import { asStored, readStored } from "./json.ts";
import type { Wire } from "./wire.ts";

/** The server over the API. */
export function apiWire(chapterId: string): Wire {
  const params = { chapterId };
  return {
    async read(revision) {
      try {
        const answer = await ask("readChapter", { params, query: { format: "doc", revision } });
        return { doc: readStored((answer as { doc: unknown }).doc), revision: answer.revision };
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (revision !== undefined && [400, 404].includes(problem.status)) return undefined;
        throw problem;
      }
    },
    async writeLeaf(leaf, ifRevision) {
      const body = { node: { ...asStored(leaf) }, ifRevision, mentions: "keep" as const };
      const sent = { params: { chapterId, blockId: leaf.attrs.blockId as string }, body };
      const { revision, act } = await ask("replaceParagraph", sent);
      return { revision, act, ids: undefined, detached: [] };
    },
    async writeDoc(doc, ifRevision) {
      const body = { doc: asStored(doc) as { type: "doc" }, ifRevision, mentions: "keep" as const };
      const { revision, act, blocks, snippetsDetached } = await ask("replaceProse", { params, body });
      return { revision, act, ids: blocks.map(({ blockId }) => blockId), detached: snippetsDetached };
    },
  };
}
