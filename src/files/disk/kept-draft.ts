import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DraftBase } from "../../service/interchange/write-draft.ts";
import { isAlive } from "./atomic-write.ts";

// A folder a draft: its text under a name that an editor knows, and what it was made from. Nobody else may read either.
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;
const BASE = "base.json";

/** Whose draft: a chapter of a manuscript's file. Copies of a file have chapters of the same ids. */
export interface DraftOwner {
  manuscript: string;
  chapterId: string;
}

/** A chapter's text in a file that an editor works on, kept until it is written. */
export interface KeptDraft {
  folder: string;
  /** The text. */
  path: string;
  base: DraftBase;
}

/** What stands beside the text; `pid` is the process that works on it, null once it has given it up. */
interface Sheet extends DraftBase {
  name: string;
  pid: number | null;
}

/** Makes a draft of a chapter in a folder of drafts, this process at work on it. `name` is its file's. */
export function keepDraft(place: string, owner: DraftOwner, name: string, base: DraftBase): KeptDraft {
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY.folder });
  const draft = { folder: mkdtempSync(join(place, prefixOf(owner))), base, path: "" };
  const kept = { ...draft, path: join(draft.folder, name) };
  writeSheet(kept, process.pid);
  writeFileSync(kept.path, base.markdown, { mode: OWNER_ONLY.file, flush: true });
  return kept;
}

/** Keeps a text that could not be saved, in a file of its own in a folder of drafts; its path. */
export function keepText(place: string, name: string, text: string): string {
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY.folder });
  const path = join(mkdtempSync(join(place, "unsaved-")), name);
  writeFileSync(path, `${text}\n`, { mode: OWNER_ONLY.file, flush: true });
  return path;
}

/** The drafts of a chapter that nobody works on any more and that say something else than they began with, newest first. */
export function findDrafts(place: string, owner: DraftOwner): KeptDraft[] {
  const prefix = prefixOf(owner);
  const drafts = list(place)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => openDraft(join(place, name)));
  return drafts.sort((a, b) => changedAt(b) - changedAt(a));
}

/** Says that this process works on a draft, or with null that it has given it up. */
export function holdDraft(draft: KeptDraft, pid: number | null = process.pid): void {
  writeSheet(draft, pid);
}

/** A draft's bytes; undefined if its file is gone. */
export function readDraft({ path }: KeptDraft): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether a draft says what it began with, or nothing: an editor may end a last line that was not ended. */
export function isUnchanged(draft: KeptDraft): boolean {
  const text =
    readDraft(draft)
      ?.toString()
      .replace(/^\ufeff/, "") ?? "";
  const { markdown } = draft.base;
  return text.trim() === "" || [markdown, `${markdown}\n`, `${markdown}\r\n`].includes(text);
}

/** When a draft's text was last saved, in milliseconds since 1970. */
export function changedAt({ path }: KeptDraft): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Removes a draft, with what an editor left beside it. */
export function dropDraft({ folder }: KeptDraft): void {
  rmSync(folder, { recursive: true, force: true });
}

function openDraft(folder: string): KeptDraft[] {
  let sheet: Sheet;
  try {
    sheet = JSON.parse(readFileSync(join(folder, BASE), "utf8")) as Sheet;
  } catch {
    return []; // killed before there was a text
  }
  const { name, pid, revision, markdown } = sheet;
  const draft: KeptDraft = { folder, path: join(folder, name), base: { revision, markdown } };
  if (pid !== null && isAlive(pid)) return [];
  if (!isUnchanged(draft)) return [draft];
  dropDraft(draft);
  return [];
}

function writeSheet({ folder, path, base }: KeptDraft, pid: number | null): void {
  const sheet: Sheet = { ...base, name: path.slice(folder.length + 1), pid };
  writeFileSync(join(folder, BASE), JSON.stringify(sheet), { mode: OWNER_ONLY.file });
}

function prefixOf({ manuscript, chapterId }: DraftOwner): string {
  return `${createHash("sha256").update(manuscript).digest("hex").slice(0, 12)}-${chapterId}-`;
}

function list(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return []; // no draft was ever made
  }
}
