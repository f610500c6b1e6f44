import type { StoredChapter } from "../../book/book.ts";
import type { BookId } from "../../ids.ts";
import { applyEdits, type ProseEdit, withoutRows } from "../../prose/apply-edits.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { editLeaves } from "../../prose/rewrite-leaf.ts";
import { BadRequest } from "../../refusals.ts";
import { listProposals } from "../../store/rows/proposals.ts";
import type { Manuscript } from "../manuscript.ts";
import { diffWords } from "../prose/word-diff.ts";
import { openGrounds, textsOf } from "./edits/grounds.ts";
import { type WeighedEdit, weighProposal } from "./edits/weigh-edits.ts";
import { openEdits } from "./read-proposal.ts";

/** An open edit, and who proposes it. */
interface Marked {
  weighed: WeighedEdit;
  author: string;
  reason: string | null;
}

/** Writes the Markdown of a book's chapters with its open proposals in it. */
export interface Critic {
  mark: (chapter: StoredChapter) => Buffer;
  /** Number of open edits that the chapters so far could not show. */
  left: () => number;
}

/**
 * Returns what writes open proposals into a book's Markdown as CriticMarkup (http://criticmarkup.com): `{--gone--}`,
 * `{++new++}`, and `{>>who: why<<}` behind it.
 */
export function openCritic(manuscript: Manuscript, bookId: BookId): Critic {
  const { store } = manuscript;
  const byChapter = store.snapshot(() => {
    const grounds = openGrounds(manuscript);
    const found = new Map<string, Marked[]>();
    for (const proposal of listProposals(store, bookId))
      for (const { ground, weighed } of weighProposal(manuscript, grounds, proposal, openEdits(proposal))
        .chapters) {
        const open = weighed.filter(({ why }) => why === undefined);
        const { author, reason } = proposal;
        const all = open.map((one) => ({ weighed: one, author, reason }));
        found.set(ground.chapter.id, [...(found.get(ground.chapter.id) ?? []), ...all]);
      }
    return found;
  });
  let left = 0;
  const mark = (chapter: StoredChapter) => {
    const open = byChapter.get(chapter.id) ?? [];
    if (open.length === 0) return chapter.markdown();
    let prose: StoredProse = chapter.prose();
    const isInsertion = ({ weighed }: Marked) => weighed.edit.op === "insert_after";
    const changes = open.filter((edit) => !isInsertion(edit));
    // The last comes first, so that several behind one paragraph keep their order.
    for (const edit of [...changes, ...open.filter(isInsertion).reverse()]) {
      const marked = withMark(prose, edit);
      if (marked === undefined) left++;
      else prose = withoutRows(marked);
    }
    return Buffer.from(joinMarkdown(prose));
  };
  return { mark, left: () => left };
}

/** Returns the prose with an edit marked in it; undefined where Markdown cannot say that. */
function withMark(prose: StoredProse, edit: Marked): NewProse | undefined {
  try {
    return edit.weighed.edit.op === "insert_after" ? withInserted(prose, edit) : withChanged(prose, edit);
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

function withInserted(prose: StoredProse, { weighed, author, reason }: Marked): NewProse {
  const { edit, behind } = weighed;
  const insertion: ProseEdit = {
    op: "insert_after",
    blockId: behind ?? edit.blockId,
    markdown: edit.markdown,
  };
  const known = textsOf(prose);
  let count = known.size;
  const made = withoutRows(applyEdits(prose, [insertion], () => `new ${count++}`));
  const fresh = [...textsOf(made)].filter(([id]) => !known.has(id));
  const texts = fresh.map(
    ([id, { markdown }], at) =>
      [id, within(markdown, "{++", at === 0 ? `++}${remark(author, reason)}` : "++}")] as const,
  );
  return editLeaves(made, new Map(texts.map(([id, markdown]) => [id, { markdown }])));
}

/** Undefined if another edit of the paragraph is marked already. */
function withChanged(prose: StoredProse, { weighed, author, reason }: Marked): NewProse | undefined {
  const { edit, now, next } = weighed;
  const id = String(edit.blockId);
  if (textsOf(prose).get(id)?.markdown !== now) return undefined;
  const changed =
    next === null
      ? within(now, "{--", "--}")
      : diffWords(now, next)
          .map(({ op, text }) => (op === "same" ? text : op === "added" ? `{++${text}++}` : `{--${text}--}`))
          .join("");
  return editLeaves(prose, new Map([[id, { markdown: changed + remark(author, reason) }]]));
}

/** Returns the text between two marks. A heading's signs stay before them. */
function within(markdown: string, open: string, close: string): string {
  const signs = /^#{1,6} +/.exec(markdown)?.[0] ?? "";
  return `${signs}${open}${markdown.slice(signs.length).trimEnd()}${close}`;
}

function remark(author: string, reason: string | null): string {
  const words = reason === null ? author : `${author}: ${reason}`;
  return `{>>${words.replace(/\s+/g, " ").replaceAll("<<}", "")}<<}`;
}
