import { dirname } from "node:path/posix";
import { WouldLose } from "../../refusals.ts";
import { findExchange } from "../../store/exchanges.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { readMarkdownBytes } from "../../store/rows/bodies.ts";
import { type ChapterRow, updateChapter } from "../../store/rows/chapters.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { assertProse } from "./assert-importable.ts";
import { markBlocks } from "./export-block-ids.ts";
import { toExport } from "./export-book.ts";
import type { AskedImport } from "./import-book.ts";
import { withOwnIds } from "./incoming-block-ids.ts";
import type { ReadChapter } from "./incoming-chapter.ts";
import { type Decision, decide, noteImport, type Standing } from "./merge-chapter.ts";
import { type Places, partOf } from "./place-chapters.ts";
import { type ImportConflict, insertAsked, type Outcome, updateFrom } from "./write-chapter.ts";

/** Writes what a file asks of its chapter, or says why not. Throws what a prose write throws. */
export function writeChapter(
  manuscript: Manuscript,
  { act, places, asked }: { act: Act; places: Places; asked: AskedImport },
  { asked: file, stored, rank }: Places["chapters"][number],
): Outcome {
  const chapter = withOwnIds(
    manuscript.store,
    stored?.id,
    withOwnPart(manuscript.store, asked, stored, file),
  );
  if (stored === undefined) {
    assertProse(manuscript, asked, chapter);
    return insertAsked(manuscript, act, {
      bookId: places.bookId,
      chapter,
      part: partOf(places, chapter),
      rank,
    });
  }
  const isRenamed =
    stored.file !== null &&
    chapter.file !== null &&
    stored.file !== chapter.file &&
    (asked.isName?.(stored.file) ?? true);
  const exported =
    isRenamed || !saysTheSame(standingOf(places, stored), chapter)
      ? undefined
      : asked.exported?.(
          toExport(manuscript, stored, places.titles, chapter.isMarked ? markBlocks : undefined),
          [...places.titles.values()],
          chapter,
        );
  const text = (chapter.bom ? "\ufeff" : "") + chapter.frontMatter + chapter.markdown;
  const { id } = stored;
  if (exported?.equals(Buffer.from(text))) return { id, file: chapter.file, status: "same" };
  assertProse(manuscript, asked, chapter, id);
  const decision: Decision =
    asked.folder === undefined
      ? { kind: "write", asked: chapter, isMerged: false }
      : decide(manuscript.store, asked.folder, standingOf(places, stored), {
          asked: chapter,
          force: asked.force,
        });
  if (decision.kind === "write") {
    const part = partOf(places, decision.asked);
    const outcome = updateFrom(manuscript, act, { stored, chapter: decision.asked, part });
    return { ...outcome, isMerged: decision.isMerged };
  }
  if (decision.kind === "leave") {
    if (isRenamed) updateChapter(manuscript.store, id, { file: chapter.file });
    return { id, file: chapter.file, status: "left" };
  }
  return {
    id,
    file: chapter.file,
    status: "conflict",
    conflict: describeConflict(manuscript, stored, decision),
  };
}

/** A file that got another name where it lies says nothing of its part by that; one that was moved does. */
function withOwnPart(
  store: Store,
  { folder }: AskedImport,
  stored: ChapterRow | undefined,
  asked: ReadChapter,
): ReadChapter {
  if (!asked.isFound || stored === undefined || folder === undefined || asked.file === null) return asked;
  const last = findExchange(store, { folder, chapterId: stored.id })?.file;
  if (last == null || dirname(last) !== dirname(asked.file)) return asked;
  const { part: _, ...fields } = asked.fields;
  return { ...asked, fields };
}

/** Whether the fields that come with a file, its folder's word among them, are the chapter's. */
function saysTheSame({ chapter, part }: Standing, { fields }: ReadChapter): boolean {
  const theirs = { ...chapter, part };
  return (["title", "status", "synopsis", "part"] as const).every(
    (key) => fields[key] === undefined || fields[key] === theirs[key],
  );
}

function standingOf({ titles }: Places, chapter: ChapterRow): Standing {
  return { chapter, part: chapter.partId === null ? null : (titles.get(chapter.partId) ?? null) };
}

function describeConflict(
  { store }: Manuscript,
  { id, revision }: ChapterRow,
  { conflicts, fields }: Decision & { kind: "conflict" },
): ImportConflict {
  const markdown = readMarkdownBytes(store, id)!.body.toString(); // the row is there
  const paragraphs = conflicts.map(({ mine, theirs }) => ({ mine: mine ?? null, theirs: theirs ?? null }));
  return { revision, fields, paragraphs, markdown };
}

/** Notes what the folder and a chapter have in common now, unless one of them stays behind the other. */
export function noteOutcome(
  manuscript: Manuscript,
  { folder, act, places }: { folder: string; act: Act; places: Places },
  { id, status, isMerged = false }: Outcome,
  index: number,
): void {
  if (status === "left" || status === "conflict") return;
  const { asked } = places.chapters[index]!; // one outcome a place
  const standing = standingOf(places, theChapter(manuscript, id));
  noteImport(manuscript.store, folder, standing, { asked, isMerged, act: act.seq });
}

const grouped = (count: number) => count.toLocaleString("en-GB");

/** A file that was cut off must not wipe a chapter. Throws `WouldLose`, naming each that would lose more than half. */
export function assertNotShrunk(
  manuscript: Manuscript,
  { chapters }: Places,
  outcomes: readonly Outcome[],
): void {
  const shrunk = outcomes.flatMap(({ id }, index) => {
    const before = chapters[index]!.stored?.wordCount ?? 0; // one place an outcome
    const { title, wordCount } = theChapter(manuscript, id);
    return wordCount * 2 < before ? [`${title} (${grouped(before)} words to ${grouped(wordCount)})`] : [];
  });
  if (shrunk.length === 0) return;
  const named = shrunk.slice(0, 3).join(", ") + (shrunk.length > 3 ? ` and ${shrunk.length - 3} more` : "");
  throw new WouldLose(
    `More than half would go of ${named}. Nothing was written; look at the files, and add --yes if that is what you want.`,
  );
}
