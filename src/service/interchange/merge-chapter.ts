import { createHash } from "node:crypto";
import type { ChapterId } from "../../ids.ts";
import { takeMarks } from "../../prose/block-ids/strip.ts";
import { leafIds, withLeafIds } from "../../prose/document/leaf-ids.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { joinMarkdown, parseMarkdown } from "../../prose/markdown/parse-leaf.ts";
import { type MergeConflict, mergeProse } from "../../prose/merge/merge.ts";
import type { NewProse, StoredProse } from "../../prose/plan/plan.ts";
import { planReplace } from "../../prose/plan/plan-chapter.ts";
import {
  type Exchange,
  findExchange,
  findExchangeFor,
  findExchangeOfFile,
  noteExchange,
} from "../../store/exchanges.ts";
import type { Store } from "../../store/file/store.ts";
import { listFormerFields, readRevision } from "../../store/journal/history.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter } from "../../store/rows/chapters.ts";
import { storedProse } from "../prose/replace-prose.ts";
import type { AskedImport } from "./import-book.ts";
import { keepIds } from "./incoming-block-ids.ts";
import type { ReadChapter } from "./incoming-chapter.ts";
import type { Matched } from "./match-chapters.ts";
import type { ExchangedFields } from "./sync-base.ts";

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
 * `force` decides where both changed the same, and nothing else. Source: docs/decisions/007-three-way.md.
 */
export function decide(
  store: Store,
  folder: string,
  { chapter, part }: Standing,
  { asked, force }: { asked: ReadChapter; force?: "mine" | "theirs" | undefined },
): Decision {
  const hash = hashOfFile(asked);
  const base =
    findExchangeFor(store, { folder, chapterId: chapter.id, hash }) ??
    exchangeOf(store, { chapter, part }, asked);
  const old = base === undefined ? undefined : readBase(store, chapter.id, base);
  if (base === undefined || old === undefined) {
    return { kind: "write", asked, isMerged: false };
  }
  const fields = mergeFields(JSON.parse(base.fields) as ExchangedFields, fieldsOf({ chapter, part }), {
    asked,
    force,
  });
  const mine = asked.prose.prose;
  const theirs = storedProse(chapter, listBlocks(store, chapter.id));
  const [before, my, their] = [old, mine, theirs].map(bareText);
  // What the folder says beside the file counts too: a file that moved to another part's folder.
  if (base.hash === hash && !fields.isEdited)
    return my === their && fields.isTheirs ? write(asked) : { kind: "leave" };
  if (my === their || their === before)
    return result({ ...asked, fields: fields.merged }, false, fields.conflicts);
  // Marks that were moved say who is who, also where the words are the same.
  if (my === before && bringsIdsOf(mine, old))
    return result(withProse(asked, theirs, fields.merged), their !== before, fields.conflicts);
  const merged = mergeProse(old, mine, theirs, force);
  if ("conflicts" in merged && force !== undefined)
    return force === "mine" ? write(asked) : { kind: "leave" };
  if ("conflicts" in merged)
    return { kind: "conflict", conflicts: merged.conflicts, fields: fields.conflicts };
  if (force === "theirs" && !fields.isEdited && bareText(merged.prose) === their) return { kind: "leave" };
  return result(withProse(asked, merged.prose, fields.merged), true, fields.conflicts);
}

/**
 * What the file says itself, in a copy of a folder that was exported elsewhere: the newest revision since the one it names
 * whose text it holds, else that one. A field that the chapter has had since then is not the file's own.
 */
function exchangeOf(store: Store, standing: Standing, asked: ReadChapter): Exchange | undefined {
  const { chapter } = standing;
  const named = asked.fields.id === chapter.id ? asked.revision : undefined;
  if (named === undefined || named > chapter.revision || asked.prose.kind !== "markdown") return undefined;
  const mine = bareText(asked.prose.prose);
  const holds = (revision: number) => {
    const prose = readStored(store, chapter.id, revision);
    return prose !== undefined && bareText(prose) === mine;
  };
  const newest = range(chapter.revision, Math.max(named, chapter.revision - REVISIONS_TRIED)).find(holds);
  const fields = { ...fieldsOf(standing) };
  for (const former of listFormerFields(store, chapter.id, named)) {
    for (const key of ["title", "status", "synopsis"] as const) {
      const { [key]: own } = asked.fields;
      if (own !== undefined && own === former[key]) fields[key] = own;
    }
  }
  return { revision: newest ?? named, file: null, hash: "", fields: JSON.stringify(fields), text: null };
}

// Each costs a walk through the journal.
const REVISIONS_TRIED = 40;

function range(from: number, downTo: number): number[] {
  return Array.from({ length: from - downTo + 1 }, (_, index) => from - index);
}

/**
 * Whether a file is that of a chapter which the manuscript has deleted since, and nobody has edited it: it is not one to
 * make again. `--force mine` does.
 */
export function wasDeleted(
  store: Store,
  { folder, force }: Pick<AskedImport, "folder" | "force">,
  { asked, stored }: Matched,
): boolean {
  const { file, fields } = asked;
  if (stored !== undefined || folder === undefined || file === null || force === "mine") return false;
  const { id } = fields; // a file that got another name still says whose it is
  const chapterId = id ?? findExchangeOfFile(store, { folder, file })?.chapterId;
  if (chapterId === undefined || findChapter(store, chapterId) !== undefined) return false;
  return findExchange(store, { folder, chapterId })?.hash === hashOfFile(asked);
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

/** Each field as the side has it that changed it; those that both changed, each to another value, are conflicts or `force`d. */
function mergeFields(
  base: ExchangedFields,
  theirs: ExchangedFields,
  { asked: { fields }, force }: { asked: ReadChapter; force: "mine" | "theirs" | undefined },
) {
  const merged: Record<string, unknown> = { ...fields };
  const conflicts: string[] = [];
  let [isTheirs, isEdited] = [true, false];
  for (const key of ["title", "status", "synopsis", "part"] as const) {
    const mine = fields[key];
    if (mine === undefined || mine === theirs[key]) continue;
    isTheirs = false;
    const isBoth = mine !== base[key] && theirs[key] !== base[key];
    if (mine === base[key] || (isBoth && force === "theirs")) delete merged[key];
    else isEdited = true;
    if (isBoth && force === undefined) conflicts.push(key);
  }
  return { merged: merged as ReadChapter["fields"], conflicts, isTheirs, isEdited };
}

/** The prose that a chapter had at a revision, its blocks on rows of the chapter; undefined where it is not known. */
function readStored(store: Store, id: ChapterId, revision: number): StoredProse | undefined {
  const old = readRevision(store, id, revision);
  if (old === undefined) return undefined;
  const blocks = old.blocks.map(({ id: row, node, source, gap }) => ({
    row,
    node: JSON.parse(node) as DocNode,
    source,
    gap,
  }));
  return { bom: old.bom === 1, eol: old.eol, head: old.head, blocks };
}

/** The prose that both had; undefined where its revision is not known any more. */
function readBase(store: Store, id: ChapterId, { revision, text }: Exchange): StoredProse | undefined {
  const stored = readStored(store, id, revision);
  if (stored === undefined) return undefined;
  if (text === null) return stored;
  const ids = new Set(leafIds(stored.blocks));
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
  const where = { folder, chapterId: chapter.id };
  const last = findExchange(store, where);
  const before =
    last === undefined ? fieldsOf({ chapter, part }) : (JSON.parse(last.fields) as ExchangedFields);
  noteExchange(
    store,
    where,
    {
      revision: chapter.revision,
      file: asked.file,
      hash: hashOfFile(asked),
      fields: JSON.stringify({ ...before, ...saidFields(asked) }),
      text: isMerged ? asked.markdown : null,
    },
    act,
  );
}

function fieldsOf({ chapter: { title, status, synopsis }, part }: Standing): ExchangedFields {
  return { title, status, synopsis, part };
}

/** What the file says of them, also where the manuscript knows better: else the next import would take that for an edit. */
function saidFields({ fields: { title, status, synopsis, part } }: ReadChapter): Partial<ExchangedFields> {
  const said = Object.entries({ title, status, synopsis, part }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said);
}

/** SHA-256 of a file's text, hexadecimal. */
export function hashOfFile({ bom, frontMatter, markdown }: ReadChapter): string {
  return createHash("sha256")
    .update((bom ? "\ufeff" : "") + frontMatter + markdown)
    .digest("hex");
}
