import { dirname, join } from "node:path";
import type { BookId, ChapterId } from "../../ids.ts";
import { WouldLose } from "../../refusals.ts";
import { ANYWHERE, type Recorded, recordWritten } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { counted } from "../../text/columns.ts";
import type { SyncedText } from "../annotations/write-annotations.ts";
import { keptAt } from "../disk/kept-folder.ts";
import { type Replacing, removeFile } from "../disk/replace-files.ts";
import { statLink, statOf } from "../disk/text-file.ts";
import { type KeptFile, listKept, withoutFiles } from "../export/write-exported.ts";
import { copiedChapter } from "../folder/render-folder.ts";
import type { SyncedFile, SyncedStatus } from "../folder/synced-file.ts";
import type { NamedChapter } from "../folder/write-book-yaml.ts";
import type { picturesOf } from "../pictures.ts";
import { type OutFile, writeFolder } from "../write-folder.ts";

/** Files that a sync will write to the folder, and rows for the working copy. */
export interface Outgoing {
  chapters: readonly SyncedChapter[];
  annotations: readonly SyncedText[];
  list: SyncedText;
  removed: readonly (Omit<SyncedFile, "bytes"> & { chapterId: ChapterId; status: "removed" | "orphaned" })[];
  /** Pictures in the files to be written. */
  pictures: ReturnType<typeof picturesOf>;
  /** Files whose former text must be kept. */
  keeps: ReadonlySet<string>;
}

/** A chapter's file and its planned outcome. A file in step is not rendered. */
export interface SyncedChapter extends Omit<NamedChapter, "isPlain">, SyncedFile {
  chapterId: ChapterId;
}

/** Result of a sync for a folder. */
interface Synced {
  /** Outcomes that differ from the plan because somebody saved a file meanwhile. */
  statuses: ReadonlyMap<string, SyncedStatus>;
  kept: KeptFile[];
}

/**
 * Throws `WouldLose` if chapters would be deleted because their folder, or every file of the book, is missing: an
 * unmounted disk looks like that.
 */
export function assertThere(folder: string, { chapters }: Pick<Outgoing, "chapters">): void {
  const gone = chapters.filter(({ status }) => status === "deleted");
  if (gone.length === 0) return;
  const away = gone
    .map(({ file }) => dirname(file))
    .find((part) => statLink(join(folder, part)) === undefined);
  const isAll = chapters.every(({ status }) => status === "deleted" || status === "gone");
  if (away === undefined && (!isAll || gone.length === 1)) return;
  const what = away === undefined ? "Not one of the book's files is" : `The folder ${away} is not`;
  throw new WouldLose(
    `${what} in ${folder}, and --delete would delete ${counted(gone.length, "chapter")} for that. Nothing was written. If a disk is not mounted, mount it; if they are to go, delete them with "manuscript chapter delete", or sync with an empty folder in its place.`,
  );
}

/** Writes and records the plan, except for files that somebody saves meanwhile. */
export async function writeSynced(
  manuscript: Manuscript,
  place: { folder: string; bookId: BookId },
  { chapters, annotations, list, removed, keeps }: Outgoing,
  replacing: Replacing,
): Promise<Synced> {
  const { folder } = place;
  const statuses = new Map<string, SyncedStatus>();
  for (const { file, status, read = "" } of removed)
    if (status === "removed" && !removeFile(join(folder, file), read)) statuses.set(file, "orphaned");
  statOf(folder, `folder ${folder}`); // one that went meanwhile is not made again
  const all = [...chapters, ...annotations, list];
  const files = all.flatMap(({ file, bytes, status, read = null }): OutFile[] =>
    status === "written" && bytes !== undefined ? [{ file, bytes, read }] : [],
  );
  const recorded = recordedOf({ chapters, annotations, list });
  // Of a stamped file that a killed run leaves, the revision that it names is known.
  const isKnown = ({ status, isStamp }: SyncedFile) => status !== "written" || isStamp === true;
  const known = new Set(all.filter(isKnown).map(({ file }) => file));
  const kept = keptAt(folder, manuscript.store.clock());
  const written = await writeFolder(folder, files, {
    ...replacing,
    mayOverwrite: () => true,
    keptAt: (file) => (keeps.has(file) ? kept(file) : undefined),
    checked: () => recordWritten(manuscript, { ...place, folder: ANYWHERE }, withoutFiles(recorded, known)),
  });
  for (const [index, { file }] of files.entries())
    if (written[index]?.status === "busy") statuses.set(file, "busy");
  recordWritten(manuscript, place, withoutFiles(recorded, new Set(statuses.keys())));
  return { statuses, kept: listKept(files, written) };
}

/** Returns the rows of files that are in step once they are written. */
function recordedOf({
  chapters,
  annotations,
  list,
}: Pick<Outgoing, "chapters" | "annotations" | "list">): Recorded {
  const isInStep = ({ status }: Pick<SyncedFile, "status">) => status === "written" || status === "same";
  // The first row of an exchange tells when it was, and a stamp has none before the folder is written.
  const stampsFirst = chapters.toSorted((one, other) => Number(!one.isStamp) - Number(!other.isStamp));
  return {
    chapters: stampsFirst.flatMap(({ bytes, isStamp, ...entry }) => {
      if (!isInStep(entry) || bytes === undefined) return [];
      const row = copiedChapter({ ...entry, bytes });
      return [isStamp && entry.status === "same" ? { ...row, isWritten: 0 } : row];
    }),
    texts: [...annotations, list].flatMap((text) => (isInStep(text) && text.copied ? [text.copied] : [])),
  };
}
