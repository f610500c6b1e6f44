import { backupsFolder, type Copy, listCopies } from "../../store/backups/listed.ts";
import { followLinks } from "../../store/backups/put-back.ts";

export type { Holding } from "../../store/backups/verify.ts";
export type { Copy };

/** The copies of a manuscript, newest first, and the folder that they are looked for in, besides the manuscript's own. */
export function copiesOf(path: string, folder?: string): { folder: string; copies: Copy[] } {
  const place = followLinks(path);
  const own = folder ?? backupsFolder(place);
  return { folder: own, copies: listCopies(place, own) };
}
