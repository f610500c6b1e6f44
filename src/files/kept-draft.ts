import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../refusals.ts";
import type { DraftBase } from "../service/interchange/write-draft.ts";
import { isAlive } from "../text/alive.ts";
import { writeAlone } from "./atomic-write.ts";

// Modes for owner access only. Each draft has a folder with its text, under a name that an editor knows, and its
// base.
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;
const BASE = "base.json";

/** Owner of a draft: a chapter of one manuscript file. Copies of a file share the ids of their chapters. */
export interface DraftOwner {
  manuscript: string;
  chapterId: string;
}

/** A chapter's text in a file that an editor works on, kept until it is written. */
export interface KeptDraft {
  folder: string;
  /** Path of the text. */
  path: string;
  base: DraftBase;
}

/** Record next to the text; `pid` is the process that works on it, null once that has given it up. */
interface Sheet extends DraftBase {
  name: string;
  pid: number | null;
}

/**
 * Creates a draft of a chapter in a folder of drafts and marks this process as working on it. `name` is the file's.
 */
export function keepDraft(place: string, owner: DraftOwner, name: string, base: DraftBase): KeptDraft {
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY.folder });
  const draft = { folder: mkdtempSync(join(place, prefixOf(owner))), base, path: "" };
  const kept = { ...draft, path: join(draft.folder, name) };
  writeSheet(kept, process.pid);
  writeFileSync(kept.path, base.markdown, { mode: OWNER_ONLY.file, flush: true });
  return kept;
}

/** Saves a text that could not be written to the manuscript as a file in a folder of drafts. Returns its path. */
export function keepText(place: string, name: string, text: string): string {
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY.folder });
  const path = join(mkdtempSync(join(place, "unsaved-")), name);
  writeFileSync(path, `${text}\n`, { mode: OWNER_ONLY.file, flush: true });
  return path;
}

/** Finds edited drafts of a chapter that no process works on any more, newest first. */
export function findDrafts(place: string, owner: DraftOwner): KeptDraft[] {
  const prefix = prefixOf(owner);
  const drafts = list(place)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => openDraft(join(place, name)));
  return drafts.sort((a, b) => changedAt(b) - changedAt(a));
}

/** Marks a draft as worked on by this process, or with null as given up. */
export function holdDraft(draft: KeptDraft, pid: number | null = process.pid): void {
  writeSheet(draft, pid);
}

/** Returns a draft's bytes; undefined if its file is gone. */
export function readDraft({ path }: KeptDraft): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** True if a draft equals its base or is empty. A line end added at the end does not count. */
export function isUnchanged(draft: KeptDraft): boolean {
  const text =
    readDraft(draft)
      ?.toString()
      .replace(/^\ufeff/, "") ?? "";
  const { markdown } = draft.base;
  return text.trim() === "" || [markdown, `${markdown}\n`, `${markdown}\r\n`].includes(text);
}

/** Returns when a draft's text was last saved, in milliseconds since 1970. */
export function changedAt({ path }: KeptDraft): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Removes a draft and whatever an editor left next to it. */
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

const PRIVATE = 0o600;
const HASH_CHARACTERS = 16;

/** Owner of a history position: the writer of a manuscript, from its keys, and the command that it runs. */
export interface PlaceOwner {
  writer: string;
  command: string;
}

/** Returns the path of the file that keeps a position. The command is hashed, because it may hold a password. */
export function pathOfPlace(folder: string, { writer, command }: PlaceOwner): string {
  const name = createHash("sha256").update(command).digest("hex").slice(0, HASH_CHARACTERS);
  return join(folder, `watch-${writer}-${name}.json`);
}

/** Returns the last reported act; undefined if there is none. Throws `Unavailable` if the file cannot be read. */
export function readPlace(path: string): string | undefined {
  try {
    const { act } = JSON.parse(readFileSync(path, "utf8")) as { act?: unknown };
    if (typeof act === "string") return act;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  }
  throw new Unavailable(
    `${path} does not say where the last run stopped: it cannot be read, or was changed. Say it with --after ACT, or begin anew with --from-now.`,
  );
}

/** Saves the last reported act, and the manuscript's path for people who read the file. */
export async function keepPlace(path: string, place: { act: string; file: string }): Promise<void> {
  await writeAlone(path, Buffer.from(`${JSON.stringify(place)}\n`), PRIVATE);
}
