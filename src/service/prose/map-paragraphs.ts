import type { ActId, BlockId, ChapterId } from "../../ids.ts";
import { type Leaf, readLeaves } from "../../prose/document/leaf.ts";
import { definitionsOf } from "../../prose/markdown/definitions.ts";
import { joinMarkdown } from "../../prose/markdown/parse-leaf.ts";
import { writeBlock } from "../../prose/markdown/write.ts";
import { editLeaves } from "../../prose/plan/edit-leaves.ts";
import type { StoredBlock, StoredProse } from "../../prose/plan/plan.ts";
import { listBlocks } from "../../store/blocks.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { type Comparison, compareNodes } from "./compare-revisions.ts";
import {
  type AskedProse,
  askMarkdown,
  describePlan,
  type ProseWrite,
  replaceIn,
  storedProse,
} from "./replace-prose.ts";

/** A text that a filter is given: one paragraph's Markdown, or a whole chapter's where `blockId` is null. */
export interface Passage {
  chapterId: ChapterId;
  title: string;
  blockId: BlockId | null;
  markdown: string;
}

/** Passages of one chapter, and the revision that they are of. */
export interface ChapterPassages {
  chapterId: ChapterId;
  revision: number;
  passages: Passage[];
}

/** What a map changed, chapter by chapter; chapters that stay as they are are not there. */
export interface MapAnswer {
  chapters: (Pick<Comparison, "chapterId" | "title" | "words" | "paragraphs"> & {
    revision: number;
    mentionsDropped: Exclude<ProseWrite["mentionsDropped"], number>;
    snippetsDetached: Exclude<ProseWrite["snippetsDetached"], number>;
  })[];
  act: ActId | null;
}

/** A chapter's paragraphs and headings that hold text, each as its Markdown, or the chapter as one. Throws `NotFound`. */
export function listPassages(
  manuscript: Manuscript,
  chapterId: ChapterId,
  by: "paragraph" | "chapter",
): ChapterPassages {
  return manuscript.store.snapshot(() => {
    const chapter = theChapter(manuscript, chapterId);
    const { title, revision } = chapter;
    const prose = storedProse(chapter, listBlocks(manuscript.store, chapterId));
    if (by === "chapter") {
      return {
        chapterId,
        revision,
        passages: [{ chapterId, title, blockId: null, markdown: bareMarkdown(prose) }],
      };
    }
    const definitions = definitionsOf(prose);
    const passages = prose.blocks.flatMap((block) =>
      readLeaves(block.node)
        .filter(isText)
        .map((leaf) => ({
          chapterId,
          title,
          blockId: String(leaf.blockId),
          markdown: markdownOf(block, leaf, definitions),
        })),
    );
    return { chapterId, revision, passages };
  });
}

/** Without a byte order mark: that stands before the file's front matter, where it has one. */
function bareMarkdown(prose: StoredProse): string {
  const blocks = prose.blocks.map((block) => ({ ...block, type: block.node.type }));
  return joinMarkdown({ ...prose, bom: false, blocks });
}

function isText({ node: { type, content = [] } }: Leaf): boolean {
  return (type === "paragraph" || type === "heading") && content.length > 0;
}

function markdownOf(block: StoredBlock, leaf: Leaf, definitions: string): string {
  return leaf.node === block.node ? block.source : writeBlock(leaf.node, definitions);
}

/**
 * Writes what a filter made of passages, those that it left as they were not among them: all chapters in one act, each by the plan of a PUT that keeps mentions. Throws
 * `RevisionConflict` where a chapter has changed since it was listed, `BadRequest` where a text is not one paragraph.
 */
export function writePassages(
  manuscript: Manuscript,
  mapped: readonly ChapterPassages[],
  caller: Caller,
): MapAnswer {
  const { store } = manuscript;
  return write(manuscript, "map", caller, (act) => {
    const done = mapped.map(({ chapterId, revision, passages }) => {
      const chapter = theChapter(manuscript, chapterId);
      assertUnchanged(chapter, caller, { ifRevision: revision, prose: true });
      const prose = storedProse(chapter, listBlocks(store, chapterId));
      const before = prose.blocks.map(({ node }) => node);
      const plan = replaceIn(store, act, chapter, askFor(prose, passages));
      const after = plan.blocks.map(({ node }) => node);
      return { chapterId, plan, compared: compareNodes(before, after) };
    });
    return () => ({
      chapters: done
        .filter(({ plan }) => plan.changed)
        .map(({ chapterId, plan, compared }) => {
          const chapter = theChapter(manuscript, chapterId);
          const { revision, mentionsDropped, snippetsDetached } = describePlan(plan, chapter, caller);
          return {
            chapterId,
            title: chapter.title,
            ...compared,
            revision,
            // Lists, for the caller did not ask for counts.
            mentionsDropped: mentionsDropped as MapAnswer["chapters"][number]["mentionsDropped"],
            snippetsDetached: snippetsDetached as MapAnswer["chapters"][number]["snippetsDetached"],
          };
        }),
    });
  });
}

function withBom(asked: AskedProse, bom: boolean): AskedProse {
  return asked.kind === "markdown" ? { ...asked, prose: { ...asked.prose, bom } } : asked;
}

function askFor(prose: Parameters<typeof editLeaves>[0], passages: readonly Passage[]): AskedProse {
  const [whole] = passages;
  if (whole?.blockId === null) return withBom(askMarkdown(whole.markdown, "keep"), prose.bom);
  const texts = new Map(passages.map(({ blockId, markdown }) => [String(blockId), markdown]));
  return { kind: "markdown", prose: editLeaves(prose, texts), mentions: "keep" };
}
