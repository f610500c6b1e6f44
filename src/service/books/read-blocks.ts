import type { AnswerOf } from "../../contract/index.ts";
import type { ChapterId } from "../../ids.ts";
import { readLeafTexts } from "../../prose/write.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { toChapterMeta } from "../present.ts";
import { proseAtRevision, storedProse } from "../prose/stored-prose.ts";
import { countsOf, type ReadyChapter } from "./read-chapter.ts";

type BlocksAnswer = Extract<AnswerOf<"readChapter">, { blocks: unknown }>;

/** A chapter whose paragraphs come with their own Markdown. Throws `NotFound` for one that does not exist. */
export function readBlocksAnswer(manuscript: Manuscript, id: ChapterId, revision?: number): BlocksAnswer {
  const { store } = manuscript;
  return store.snapshot(() => {
    const row = theChapter(manuscript, id);
    const isOld = revision !== undefined && revision !== row.revision;
    const prose = isOld ? proseAtRevision(store, id, revision) : storedProse(row, listBlocks(store, id));
    const old = isOld ? { revision, ...countsOf(prose.blocks.map(({ node }) => node)) } : {};
    const blocks = readLeafTexts(prose).map(({ leaf, markdown }) => ({
      blockId: String(leaf.blockId),
      type: leaf.node.type,
      markdown,
    }));
    return { ...toChapterMeta(row), ...old, blocks };
  });
}

/** The same as a finished body. */
export function readBlocks(manuscript: Manuscript, id: ChapterId, revision?: number): ReadyChapter {
  return manuscript.store.snapshot(() => {
    const answer = readBlocksAnswer(manuscript, id, revision);
    const { revision: current, version } = theChapter(manuscript, id);
    return {
      seen: { chapterId: id, revision: current, version },
      body: Buffer.from(JSON.stringify(answer)),
    };
  });
}
