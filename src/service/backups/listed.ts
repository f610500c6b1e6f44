import type { LocalAnswer } from "../../contract/local-answers.ts";
import { backupsFolder, type Copy, listCopies } from "../../store/copies.ts";
import { type CopyGap, type LastAct, orderByWriting, type WrittenCopy } from "../../store/copy-history.ts";
import { followLinks } from "../../store/put-back-copy.ts";
import type { Holding } from "../../store/verify-copy.ts";

export type { Copy, Holding, WrittenCopy };

/** The copies of a manuscript, newest first by the clock of their making, and the folder that they are looked for in, besides the manuscript's own. */
export function copiesOf(path: string, folder?: string): { folder: string; copies: Copy[] } {
  const place = followLinks(path);
  const own = folder ?? backupsFolder(place);
  return { folder: own, copies: listCopies(place, own) };
}

/** The copy of a folder of copies with the newest writing; undefined if there is none. */
export function newestOf(path: string, copies: readonly Copy[]): WrittenCopy | undefined {
  return orderByWriting(followLinks(path), copies.filter(isMadeToKeep))[0];
}

/** Whether a copy is one of a folder of copies; those beside the manuscript were made for another reason. */
export function isMadeToKeep({ kind }: Copy): boolean {
  return kind === "scheduled" || kind === "by hand";
}

/** What a file holds, as an answer. */
export function holdingOf({ format, books, words, acts, last }: Holding) {
  return { format, books, words, acts, lastAct: lastActOf(last) };
}

function lastActOf(last: Omit<LastAct, "seq" | "id"> | null) {
  return last && { kind: last.kind, source: last.source, at: new Date(last.at).toISOString() };
}

/** Returns the gap between a copy and the manuscript as answers give it. */
export function gapOf(gap: CopyGap | undefined) {
  return { savesBehind: gap?.behind ?? null, savesAhead: gap?.ahead ?? null };
}

/** The copies of a manuscript, newest first by what was written in them, as an answer. */
export function listed(file: string, folder: string, copies: readonly Copy[]): LocalAnswer<"backups"> {
  const written = orderByWriting(followLinks(file), copies);
  return {
    file,
    folder,
    copies: written.map(({ path, kind, at, bytes, last, gap }) => ({
      ...{ path, kind, at: new Date(at).toISOString(), bytes },
      lastAct: lastActOf(last ?? null),
      ...gapOf(gap),
    })),
  };
}
