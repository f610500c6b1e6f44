import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Why a copy was made: by itself while a server ran, by the writer's command, before a restore (the file as it was until
 * then) or before an upgrade of the format.
 */
export type CopyKind = "scheduled" | "by hand" | "before restore" | "before upgrade";

/** A copy of a manuscript, as its name and its folder tell; whether it is sound says `verifyCopy`. */
export interface Copy {
  path: string;
  kind: CopyKind;
  /** When it was made, in milliseconds since 1970: by its name, to the second, else by the file's own time. */
  at: number;
  bytes: number;
}

/** How a manuscript's file name ends. */
export const MANUSCRIPT_ENDING = ".manuscript";
const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:-(?<later>\d+))?`;

/** The folder in which the copies of a manuscript lie by default: `salt-backups` beside `salt.manuscript`. */
export function backupsFolder(path: string): string {
  return join(dirname(path), `${stemOf(path)}-backups`);
}

/** A place in a folder that is free for a copy of this kind: its name is the manuscript's and the time, in UTC. */
export function freeName(
  path: string,
  kind: "scheduled" | "by hand",
  to: { folder: string; at: number },
): string {
  const name = `${stemOf(path)}-${stamp(to.at)}`;
  return free(join(to.folder, name), kind === "by hand" ? "-kept.backup" : ".backup");
}

/** A free place beside a manuscript, for the file that a restore puts another in the place of. */
export function freeAside(path: string, at: number): string {
  return free(`${path}-until-${stamp(at)}`, ".backup");
}

/**
 * The copies of a manuscript, newest first by the clock of their making: those in its folder of copies, and beside it those
 * that were made before a restore or an upgrade. It need not be there itself. No copy is opened; `orderByWriting` does that.
 */
export function listCopies(path: string, folder = backupsFolder(path)): Copy[] {
  const stem = escaped(stemOf(path));
  const name = escaped(basename(path));
  const found = [
    ...listIn(folder, new RegExp(`^${stem}-${TIME}(?<kept>-kept)?\\.backup$`), (groups) =>
      groups.kept === undefined ? "scheduled" : "by hand",
    ),
    ...listIn(dirname(path), new RegExp(`^${name}-until-${TIME}\\.backup$`), () => "before restore"),
    ...listIn(dirname(path), new RegExp(`^${name}-v\\d+()\\.backup$`), () => "before upgrade"),
  ];
  return found.sort((a, b) => b.at - a.at);
}

/** How to bring back a manuscript that is missing, in words, if a copy of it is there; else undefined. */
export function wayBack(path: string): string | undefined {
  const [newest] = statSync(path, { throwIfNoEntry: false }) === undefined ? listCopies(path) : [];
  return (
    newest &&
    `but a copy of it is there. Bring it back with: manuscript restore "${newest.path}" --file "${path}"`
  );
}

/** Manuscripts that are missing in a folder, though copies of them are there. */
export function listMissing(folder: string): string[] {
  const names = namesIn(folder).flatMap((name) => {
    const stem = /^(.+)-backups$/.exec(name)?.[1];
    return stem === undefined
      ? (/^(.+\.manuscript)-.+\.backup$/.exec(name)?.[1] ?? [])
      : stem + MANUSCRIPT_ENDING;
  });
  return [...new Set(names)].map((name) => join(folder, name)).filter((path) => wayBack(path) !== undefined);
}

function listIn(
  folder: string,
  pattern: RegExp,
  kindOf: (groups: Readonly<Record<string, string | undefined>>) => CopyKind,
): Copy[] {
  return namesIn(folder).flatMap((name) => {
    const match = pattern.exec(name);
    const path = join(folder, name);
    const stat = match === null ? undefined : statSync(path, { throwIfNoEntry: false });
    if (match === null || !stat?.isFile()) return [];
    const { groups = {} } = match;
    // Of several in one second each later one counts a millisecond more.
    const later = Number(groups.later ?? 1) - 1;
    const at = (timeOf(match[1] ?? "") ?? Math.floor(stat.mtimeMs)) + later;
    return [{ path, kind: kindOf(groups), at, bytes: stat.size }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // none was made yet, or another's folder
  }
}

function stemOf(path: string): string {
  return basename(path, MANUSCRIPT_ENDING);
}

/** "2027-01-31T18-30-05Z": a colon is none of a file's name everywhere. */
function stamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

function timeOf(text: string): number | undefined {
  const [day, time = ""] = text.split("T");
  const at = Date.parse(`${day}T${time.replaceAll("-", ":")}`);
  return Number.isNaN(at) ? undefined : at;
}

function free(start: string, ending: string): string {
  for (let count = 1; ; count++) {
    const path = `${start}${count === 1 ? "" : `-${count}`}${ending}`;
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return path;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const HOUR_MS = 3_600_000;
/** How many hours keep their last copy, and how many days, counted from the newest copy back. */
const HOURS = 24;
const DAYS = 30;

/**
 * Of copies that were made by themselves, given newest first, those that rotation lets go: kept is the first of each of the
 * first 24 hours in which one was made, and of each of the first 30 days, in UTC. Never the newest of all.
 */
export function chooseExpired(copies: readonly Copy[]): Copy[] {
  const scheduled = copies.filter(({ kind }) => kind === "scheduled");
  const kept = new Set([...lastOf(scheduled, HOUR_MS, HOURS), ...lastOf(scheduled, 24 * HOUR_MS, DAYS)]);
  return scheduled.filter((copy) => !kept.has(copy));
}

function lastOf(copies: readonly Copy[], spanMs: number, most: number): Copy[] {
  const bySpan = new Map<number, Copy>();
  for (const copy of copies) {
    const span = Math.floor(copy.at / spanMs);
    if (!bySpan.has(span)) bySpan.set(span, copy); // the newest comes first
  }
  return [...bySpan.values()].slice(0, most);
}
