import type { Node } from "prosemirror-model";
import { ask } from "../../../api/ask.ts";
import { asProblem, type Problem } from "../../../api/problem.ts";
import { asStored, readStored } from "./json.ts";

/** A chapter as the server has it. */
export interface ServerCopy {
  doc: Node;
  revision: number;
}

/** What the server made of a write. */
export interface Written {
  revision: number;
  /** The id of each leaf, in order; undefined where none is new. */
  ids: string[] | undefined;
  /** Notes whose paragraph is gone. */
  detached: { id: string; quote: string; blockId: string | null }[];
  act: string | null;
}

/** The server, as a chapter that is written in needs it. All throw `Problem`. */
export interface Wire {
  /** Its newest revision, or an older one; undefined if there is no such revision. */
  read(revision?: number): Promise<ServerCopy | undefined>;
  /** Replaces the words of one leaf. */
  writeLeaf(leaf: Node, revision: number): Promise<Written>;
  /** Replaces the whole; `isMinimal` where no leaf is new and none is gone, so that no list is needed. */
  writeDoc(doc: Node, revision: number, isMinimal: boolean): Promise<Written>;
}

/** The server over the API. */
export function apiWire(chapterId: string): Wire {
  const params = { chapterId };
  return {
    async read(revision) {
      try {
        const query = { format: "doc", ...(revision === undefined ? {} : { revision }) } as const;
        const answer = await ask("readChapter", { params, query });
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
      const { revision, act } = await ask("replaceParagraph", { ...sent, isMinimal: true });
      return { revision, act, ids: undefined, detached: [] };
    },
    async writeDoc(doc, ifRevision, isMinimal) {
      const body = { doc: asStored(doc) as { type: "doc" }, ifRevision, mentions: "keep" as const };
      const answer = await ask("replaceProse", { params, body, isMinimal });
      const { revision, act, blocks, snippetsDetached } = answer;
      if (isMinimal) return { revision, act, ids: undefined, detached: [] };
      return { revision, act, ids: blocks.map(({ blockId }) => blockId), detached: snippetsDetached };
    },
  };
}

/** Whether the write may have been done although no answer says so. */
export function isInDoubt({ status }: Problem): boolean {
  return status === 0 || status === 500 || status === 502 || status === 504;
}
