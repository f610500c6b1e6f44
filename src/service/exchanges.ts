import { createHash } from "node:crypto";
import type { ChapterId } from "../ids.ts";
import { leafIds, withLeafIds } from "../prose/leaf-ids.ts";
import { type MergeConflict, mergeProse } from "../prose/merge.ts";
import { joinMarkdown, parseMarkdown } from "../prose/parse.ts";
import type { StoredProse } from "../prose/plan.ts";
import { type NewProse, planReplace } from "../prose/replace.ts";
import { takeMarks } from "../prose/take-marks.ts";
import type { DocNode } from "../prose/types.ts";
import { Busy } from "../refusals.ts";
import { listBlocks } from "../store/blocks.ts";
import type { ChapterRow } from "../store/chapters.ts";
import { type Exchange, findExchange, noteExchange } from "../store/exchanges.ts";
import { readRevision } from "../store/history.ts";
import type { Store } from "../store/store.ts";
import type { BookExport } from "./export-book.ts";
import type { ReadChapter } from "./import-chapter.ts";
import type { Manuscript } from "./manuscript.ts";
import { keepIds } from "./own-ids.ts";
import { storedProse } from "./prose.ts";

/** A chapter's fields that both a file and the manuscript can change. */
export interface ExchangedFields {
  title: string;
  status: string;
  synopsis: string;
  part: string | null;
}

/** A chapter as it stands, and the title of its part. */
export interface Standing {
  chapter: ChapterRow;
  part: string | null;
}

/**
 * What to do with a file whose chapter may have changed too: write it, merged where both sides changed other paragraphs;
 * leave it, because only the manuscript changed; or neither, because both changed the same.
 */
export type Decision =
  | { kind: "write"; asked: ReadChapter; isMerged: boolean }
  | { kind: "leave" }
  | { kind: "conflict"; conflicts: readonly MergeConflict[]; fields: readonly string[] };

/**
 * Compares a file and its chapter with what they last had in common. Without that, the file is written as it is.
 * Source: issue 6, Three-way.
 */
export function decide(
  store: Store,
  folder: string,
  { chapter, part }: Standing,
  asked: ReadChapter,
): Decision {
  const base = findExchange(store, { folder, chapterId: chapter.id }) ?? exchangeOf({ chapter, part }, asked);
  const old = base === undefined ? undefined : readBase(store, chapter.id, base);
  if (base === undefined || old === undefined) {
    return { kind: "write", asked, isMerged: false };
  }
  const fields = mergeFields(JSON.parse(base.fields) as ExchangedFields, fieldsOf({ chapter, part }), asked);
  const mine = asked.prose.prose;
  const theirs = storedProse(chapter, listBlocks(store, chapter.id));
  const [before, my, their] = [old, mine, theirs].map(bareText);
  if (base.hash === hashOfFile(asked))
    return my === their && fields.isTheirs ? write(asked) : { kind: "leave" };
  if (my === their || their === before)
    return result({ ...asked, fields: fields.merged }, false, fields.conflicts);
  // Marks that were moved say who is who, also where the words are the same.
  if (my === before && bringsIdsOf(mine, old))
    return result(withProse(asked, theirs, fields.merged), false, fields.conflicts);
  const merged = mergeProse(old, mine, theirs);
  if ("conflicts" in merged)
    return { kind: "conflict", conflicts: merged.conflicts, fields: fields.conflicts };
  return result(withProse(asked, merged.prose, fields.merged), true, fields.conflicts);
}

/** What the folder says itself: a copy of one that was exported elsewhere. It does not say the fields: the file's count. */
function exchangeOf(standing: Standing, { base }: ReadChapter): Exchange | undefined {
  return base && { ...base, fields: JSON.stringify(fieldsOf(standing)), text: null };
}

function write(asked: ReadChapter): Decision {
  return { kind: "write", asked, isMerged: false };
}

function result(asked: ReadChapter, isMerged: boolean, fields: readonly string[]): Decision {
  if (fields.length > 0) return { kind: "conflict", conflicts: [], fields };
  return { kind: "write", asked, isMerged };
}

function withProse(
  asked: ReadChapter,
  {
    bom,
    eol,
    head,
    blocks,
  }: Pick<StoredProse, "bom" | "eol" | "head"> & {
    blocks: readonly { node: DocNode; source: string; gap: string }[];
  },
  fields: ReadChapter["fields"],
): ReadChapter {
  return {
    ...asked,
    fields,
    prose: { kind: "markdown", prose: { bom, eol, head, blocks }, mentions: "keep" },
  };
}

/** Each field as the side has it that changed it; those that both changed, each to another value, are conflicts. */
function mergeFields(base: ExchangedFields, theirs: ExchangedFields, { fields }: ReadChapter) {
  const merged: Record<string, unknown> = { ...fields };
  const conflicts: string[] = [];
  let isTheirs = true;
  for (const key of ["title", "status", "synopsis", "part"] as const) {
    const mine = fields[key];
    if (mine === undefined || mine === theirs[key]) continue;
    isTheirs = false;
    if (mine === base[key]) delete merged[key];
    else if (theirs[key] !== base[key]) conflicts.push(key);
  }
  return { merged: merged as ReadChapter["fields"], conflicts, isTheirs };
}

/** The prose that both had, its blocks on rows of the chapter; undefined where its revision is not known any more. */
function readBase(store: Store, id: ChapterId, { revision, text }: Exchange): StoredProse | undefined {
  const old = readRevision(store, id, revision);
  if (old === undefined) return undefined;
  const blocks = old.blocks.map(({ id: row, node, source, gap }) => ({
    row,
    node: JSON.parse(node) as DocNode,
    source,
    gap,
  }));
  const stored: StoredProse = { bom: old.bom === 1, eol: old.eol, head: old.head, blocks };
  if (text === null) return stored;
  const ids = new Set(leafIds(blocks));
  const unmarked = takeMarks(text, (id) => ids.has(id));
  const { blocks: parsed, ...whole } = parseMarkdown(unmarked.markdown);
  const brought = { ...whole, blocks: withLeafIds(parsed, unmarked.ids) };
  let count = 0;
  const known = { foreign: new Set<string>(), former: new Set<string>() };
  const plan = planReplace(
    stored,
    keepIds(brought, (id) => ids.has(id)),
    { mentions: [], snippets: [] },
    {
      ...known,
      policy: "keep",
      mintBlock: () => `new ${++count}`,
    },
  );
  return { ...plan, blocks: plan.blocks.map((block) => ({ ...block, row: block.row ?? `new ${++count}` })) };
}

/** Whether each leaf that brings an id has it in the other prose, too, which says the same. */
function bringsIdsOf(prose: NewProse, same: StoredProse): boolean {
  const known = leafIds(same.blocks);
  return leafIds(prose.blocks).every((id, index) => id === null || id === known[index]);
}

/** Without a byte order mark: that stands before the front matter. */
function bareText({
  eol,
  head,
  blocks,
}: Pick<StoredProse, "eol" | "head"> & {
  blocks: readonly { node: DocNode; source: string; gap: string }[];
}): string {
  return joinMarkdown({
    bom: false,
    eol,
    head,
    blocks: blocks.map((block) => ({ ...block, type: block.node.type })),
  });
}

/** Notes what a folder and the chapter have in common now; `isMerged`: the chapter holds more than the file. */
export function noteImport(
  store: Store,
  folder: string,
  { chapter, part }: Standing,
  { asked, isMerged, act }: { asked: ReadChapter; isMerged: boolean; act: number },
): void {
  noteExchange(
    store,
    { folder, chapterId: chapter.id },
    {
      revision: chapter.revision,
      hash: hashOfFile(asked),
      fields: JSON.stringify(fieldsOf({ chapter, part })),
      text: isMerged ? asked.markdown : null,
    },
    act,
  );
}

/**
 * Notes that a folder holds the files of a book as the manuscript has its chapters now; `hashes` are those of the files.
 * Another program that writes at this moment is no reason for an export to fail: then nothing is noted.
 */
export function noteExports(
  { store }: Manuscript,
  folder: string,
  { chapters }: Pick<BookExport, "chapters">,
  hashes: readonly string[],
): void {
  try {
    store.setAside(() =>
      chapters.forEach((chapter, index) => {
        const { id, revision, title, status, synopsis, part } = chapter;
        const fields = JSON.stringify({ title, status, synopsis, part } satisfies ExchangedFields);
        const hash = hashes[index]!; // one a chapter
        noteExchange(store, { folder, chapterId: id }, { revision, hash, fields, text: null }, null);
      }),
    );
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}

/** Whether a folder has ever had this chapter's file. */
export function hasExchanged(store: Store, folder: string, chapterId: ChapterId): boolean {
  return findExchange(store, { folder, chapterId }) !== undefined;
}

function fieldsOf({ chapter: { title, status, synopsis }, part }: Standing): ExchangedFields {
  return { title, status, synopsis, part };
}

function hashOfFile({ bom, frontMatter, markdown }: ReadChapter): string {
  return createHash("sha256")
    .update((bom ? "\ufeff" : "") + frontMatter + markdown)
    .digest("hex");
}
