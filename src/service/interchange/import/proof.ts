import type { IncomingChapter } from "../../../book/book.ts";
import type { ChapterId } from "../../../ids.ts";
import type { Store } from "../../../store/file/store.ts";
import {
  type CopiedChapter,
  type CopiedText,
  type CopyPlace,
  listCopiesOf,
  listExchanges,
} from "../../../store/working-copies.ts";
import { groupBy } from "../../../text/group-by.ts";
import { once } from "../../../text/once.ts";
import type { WorkingCopy } from "../working-copy.ts";

/** Finds the exchange that each file of a folder goes back to, which is not always the newest. */
export interface Proof {
  /**
   * Returns the copy of a chapter that its file goes back to; `said` if it is a revision without a copy, undefined if
   * nothing is known. `far` counts the differences between a copy and the file.
   */
  chapter(
    id: ChapterId,
    incoming: IncomingChapter,
    far: (copy: CopiedChapter) => number,
  ): CopiedChapter | "said" | undefined;
  /** Returns the copy that another file of the folder goes back to. */
  text(file: string, hash: string, far: (copy: CopiedText) => number): CopiedText | undefined;
  /** True if another file of the folder is an older copy. */
  isOlderBeside(file: string): boolean;
  /** True if a copy of the chapter in this folder had this hash. */
  hasHad(id: ChapterId, hash: string): boolean;
  /** Older copies among the files examined until now. */
  older: ReadonlyMap<string, { isEdited: boolean }>;
}

/**
 * Compares the files of a folder with earlier exchanges. The copies of a file fall into generations. A generation
 * begins when this program writes the file anew, because the manuscript has changed; later copies in it are the
 * folder's own edits. A file that equals a copy of an earlier generation, or names its revision, is an older copy
 * that was put back: only edits made in it since then count. Within the newest generation the newest copy is the
 * base, because whatever has gone since was removed in the folder. If one file of a folder is an older copy, so are
 * all files that equal earlier copies. `read` are the hashes of all files. Source:
 * docs/decisions/008-working-copies.md.
 */
export function proofOf(store: Store, place: CopyPlace, copy: WorkingCopy, read: readonly string[]): Proof {
  const all = once(() => listExchanges(store, place));
  const chapters = once(() => groupBy(all().chapters, ({ chapterId }) => chapterId));
  const texts = once(() => groupBy(all().texts, ({ file }) => file));
  const olderFiles = once(() => listOlder([...chapters(), ...texts()], read));
  const isOlderBeside = (what: string) => () => olderFiles().some((other) => other !== what);
  const older = new Map<string, { isEdited: boolean }>();
  const found = <Found>(row: Found, own: Found, file: string | null, isEdited: boolean): Found => {
    if (row !== own) older.set(file ?? "", { isEdited });
    return row;
  };
  return {
    older,
    isOlderBeside: (file) => isOlderBeside(file)(),
    hasHad: (id, hash) =>
      chapters()
        .get(id)
        ?.some((row) => row.hash === hash) ?? false,
    chapter: (id, incoming, far) => {
      const own = copy.chapters.get(id);
      if (own?.hash === incoming.hash) return own;
      // A file that any folder has had since: an export that was killed has left files that its folder was never recorded
      // for, and a folder may have been moved or copied.
      const isSince = (row: Row) => row.hash === incoming.hash && row.seq > (own?.seq ?? 0);
      const newer = listCopiesOf(store, id).find(isSince);
      if (newer !== undefined || own === undefined) return newer;
      const copies = generationsOf(chapters().get(id) ?? [own]);
      const seeking = { own, far, isOlderFolder: isOlderBeside(id) };
      const exact = exactOf(copies, incoming.hash, seeking);
      const row = exact ?? revisionOf(copies, id, incoming, seeking);
      return found<CopiedChapter | "said">(row, own, incoming.file, exact === undefined);
    },
    text: (file, hash, far) => {
      const own = copy.texts.get(file);
      if (own === undefined || own.hash === hash) return own;
      const copies = generationsOf(texts().get(file) ?? [own]);
      const seeking = { own, far, isOlderFolder: isOlderBeside(file) };
      const exact = exactOf(copies, hash, seeking);
      return found(exact ?? nearestOf(copies, seeking), own, file, exact === undefined);
    },
  };
}

/** Returns the files that equal only copies of earlier generations. */
function listOlder(files: readonly [string, readonly Row[]][], read: readonly string[]): string[] {
  const present = new Set(read);
  const isHere = ({ hash }: Row) => present.has(hash);
  return files.flatMap(([what, copies]) => {
    const [newest = [], ...before] = generationsOf(copies);
    return !newest.some(isHere) && before.flat().some(isHere) ? [what] : [];
  });
}

type Row = Pick<CopiedChapter | CopiedText, "seq" | "hash" | "isWritten">;

/** Search for a file's base when no copy equals it. */
interface Seeking<Copy> {
  own: Copy;
  far: (copy: Copy) => number;
  isOlderFolder: () => boolean;
}

/** Splits a file's copies into generations, newest first. Each begins when this program wrote the file. */
function generationsOf<Copy extends Row>(copies: readonly Copy[]): Copy[][] {
  const generations: Copy[][] = [];
  let before: Copy | undefined;
  for (const copy of copies.toReversed()) {
    const [newest] = generations;
    const isNew = newest === undefined || (copy.isWritten === 1 && copy.hash !== before?.hash);
    if (isNew) generations.unshift([copy]);
    else newest.unshift(copy);
    before = copy;
  }
  return generations;
}

/**
 * Returns the copy that equals the file. In the newest generation the newest copy counts, because the folder only
 * undid its own edits.
 */
function exactOf<Copy extends Row>(
  [newest = [], ...before]: readonly Copy[][],
  hash: string,
  { own, isOlderFolder }: Omit<Seeking<Copy>, "far">,
): Copy | undefined {
  const isIt = (copy: Copy) => copy.hash === hash;
  const last = newest.find(isIt);
  if (last !== undefined) return isOlderFolder() ? last : own;
  return before.flat().find(isIt);
}

/** Returns the copy that an edited file is based on: one of the generation of the revision that it names. */
function revisionOf(
  [newest = [], ...before]: readonly CopiedChapter[][],
  id: ChapterId,
  { fields, revision }: IncomingChapter,
  seeking: Seeking<CopiedChapter>,
): CopiedChapter | "said" {
  const written = newest.at(-1);
  if (revision === undefined || fields.id !== id)
    return seeking.isOlderFolder() ? nearestOf([newest, ...before], seeking) : seeking.own;
  if (written?.isWritten !== 1 || revision > written.revision) return seeking.own;
  const alike = before.filter((copies) => copies.at(-1)?.revision === revision);
  if (revision === written.revision) return nearestOf([newest, ...alike], seeking);
  return nearest(alike.flat().toReversed(), seeking.far) ?? "said"; // of equals the one that it names
}

/**
 * Returns the newest copy, unless one of an earlier generation is nearer to the file than every copy of the newest.
 */
function nearestOf<Copy extends Row>(
  [newest = [], ...before]: readonly Copy[][],
  { own, far, isOlderFolder }: Seeking<Copy>,
): Copy {
  if (isOlderFolder()) return nearest([...newest, ...before.flat()].slice(0, COPIES_TRIED), far) ?? own;
  const near = nearest(before.flat().slice(0, COPIES_TRIED), far);
  const last = near && nearest(newest, far);
  return near !== undefined && last !== undefined && far(near) < far(last) ? near : own;
}

// Limit, because each try walks through the journal.
const COPIES_TRIED = 40;

/** Returns the copy with the fewest differences; the first of equals. */
function nearest<Copy>(copies: readonly Copy[], far: (copy: Copy) => number): Copy | undefined {
  let [found] = copies;
  let least = found === undefined || copies.length === 1 ? 0 : far(found);
  for (const copy of copies.slice(1)) {
    const apart = far(copy);
    if (apart >= least) continue;
    found = copy;
    least = apart;
  }
  return found;
}
