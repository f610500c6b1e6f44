import type { LocalAnswer } from "../../contract/local-answers.ts";
import { createMint } from "../../ids.ts";
import { backupsFolder, listCopies } from "../../store/copies.ts";
import { copyBeside } from "../../store/copy-beside.ts";
import { openToExamine } from "../../store/file/open.ts";
import { type MadeCopy, makeCopy } from "../../store/make-copy.ts";
import { followLinks } from "../../store/put-back-copy.ts";
import { peek } from "../../store/verify-copy.ts";
import type { ProgressStep } from "../../text/progress.ts";
import type { Manuscript } from "../manuscript.ts";
import { holdingOf, newestOf } from "./listed.ts";

/** How a copy is made by the writer's command. */
export interface BackupOptions {
  /** Where; else in the manuscript's own folder of copies. */
  folder?: string | undefined;
  /** As a server does by itself: only if something has changed, and those that have had their time go. */
  rotates?: boolean;
  /** Milliseconds since 1970. */
  at: number;
  step?: ProgressStep;
}

/** A whole, verified copy of a manuscript's file, made now; `isNew` is false if the last one holds everything already. */
export function backUp(path: string, options: BackupOptions): MadeCopy & { isNew: boolean } {
  const { rotates = false, at, step } = options;
  const place = followLinks(path);
  openToExamine(place, { clock: () => at, mint: createMint() }).close(); // another kind of file is refused
  const folder = options.folder ?? backupsFolder(place);
  if (!rotates) return { ...makeCopy(place, { folder, kind: "by hand", at }, step), isNew: true };
  const newest = newestOf(place, listCopies(place, folder));
  const holding = newest === undefined ? undefined : peek(newest.path);
  const isSame = holding !== undefined && holding.mark !== "" && holding.mark === peek(place)?.mark;
  if (newest !== undefined && isSame)
    return { path: newest.path, bytes: newest.bytes, holding, isNew: false };
  return { ...makeCopy(place, { folder, kind: "scheduled", at }, step), isNew: true };
}

/** The same by another process, while a server goes on answering, as an answer. */
export async function backUpBeside({ store }: Manuscript, folder?: string): Promise<LocalAnswer<"backup">> {
  const place = followLinks(store.path);
  const target = { folder: folder ?? backupsFolder(place), kind: "by hand", at: store.clock() } as const;
  const { path, bytes, holding } = await copyBeside(place, target).made;
  return { file: store.path, copy: path, bytes, isNew: true, ...holdingOf(holding) };
}
