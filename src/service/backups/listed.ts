import type { LocalAnswer } from "../../contract/local-answers.ts";
import { backupsFolder, type Copy, listCopies } from "../../store/copies.ts";
import { followLinks } from "../../store/put-back-copy.ts";

import type { Holding } from "../../store/verify-copy.ts";

export type { Copy, Holding };

/** The copies of a manuscript, newest first, and the folder that they are looked for in, besides the manuscript's own. */
export function copiesOf(path: string, folder?: string): { folder: string; copies: Copy[] } {
  const place = followLinks(path);
  const own = folder ?? backupsFolder(place);
  return { folder: own, copies: listCopies(place, own) };
}

/** What a file holds, as an answer. */
export function holdingOf({ format, books, words, acts, last }: Holding) {
  const lastAct = last === null ? null : { ...last, at: new Date(last.at).toISOString() };
  return { format, books, words, acts, lastAct };
}

/** The copies of a manuscript, as an answer. */
export function listed(file: string, folder: string, copies: readonly Copy[]): LocalAnswer<"backups"> {
  return { file, folder, copies: copies.map((copy) => ({ ...copy, at: new Date(copy.at).toISOString() })) };
}
