import { EXIT } from "../../contract/problems.ts";
import { writeConflict } from "../../files/write-folder.ts";
import { Refusal } from "../../refusals.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { DraftWrite } from "../../service/interchange/write-draft.ts";
import type { Comparison } from "../../service/prose/compare-revisions.ts";
import { alignedLines, counted, grouped, oneLine } from "../../text/columns.ts";
import type { Call } from "../io/call.ts";
import { type Terminal, talk } from "../io/terminal.ts";
import { changedParagraphs, lossesOf, showMoved, TO_DO } from "./losses.ts";
import { showDiffBriefly } from "./word-diff.ts";

/**
 * What became of each file, a line each, with what changed if the answer has it; those that are the same are counted.
 */
export function showImport(
  terminal: Terminal,
  answer: ImportAnswer & { chapterCount?: number; wordCount?: number; metadata?: object },
  isDry: boolean,
): string {
  const { bookId, title, book, deleted, chapters, chapterCount = chapters.length } = answer;
  const { wordCount: words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0) } = answer;
  const fields = Object.entries(answer.metadata ?? {}).map(
    ([field, text]) => `${field} ${oneLine(text, 60)}`,
  );
  const told = chapters.filter(({ status }) => status !== "same");
  const same = chapters.length - told.length;
  const lines = alignedLines(
    told.map((chapter) => [
      outcomeOf(chapter.status, isDry),
      chapter.id,
      chapter.title,
      counted(chapter.wordCount, "word"),
      costOf(chapter, isDry),
    ]),
    [3],
  );
  const shown = lines.flatMap((line, index) => [line, ...changesOf(terminal, told[index]!, isDry)]); // one line a chapter
  return [
    ...shown,
    ...showMoved(answer.moved, isDry),
    ...showWarnings(chapters),
    ...(same === 0 ? [] : [`same: ${counted(same, "chapter")}`]),
    ...(book.status === "updated" ? [`book: ${isDry ? "would change " : ""}${book.fields.join(", ")}`] : []),
    ...(fields.length === 0 ? [] : [`book: ${fields.join(", ")}`]),
    ...deleted.map(({ file }) => `${file}: the manuscript has deleted its chapter; left out`),
    ...showEntries(answer, isDry),
    ...showRest(answer, isDry),
    `${bookId}  ${title}: ${counted(chapterCount, "chapter")}, ${counted(words, "word")}`,
  ].join("\n");
}

/** True if an import changed nothing, or would not. */
export function isAllSame({ book, chapters, facts, notes, proposals = [] }: ImportAnswer): boolean {
  if (proposals.length > 0) return false;
  return [book, ...chapters, ...facts, ...notes].every(
    ({ status }) => status === "same" || status === "left",
  );
}

const MOST_TOLD = 10;

/** Says on stderr which files were left out, or taken without what, ten of them with the reason. */
export async function tellSkipped(
  terminal: Terminal,
  skipped: readonly { file: string; reason: string; isPartly?: boolean }[],
): Promise<void> {
  for (const { file, reason, isPartly = false } of skipped.slice(0, MOST_TOLD)) {
    await talk(terminal, `${isPartly ? "" : "Left out "}${file}: ${reason}.`);
  }
  const more = skipped.length - MOST_TOLD;
  if (more > 0) await talk(terminal, `Left out ${counted(more, "more file")}; --json lists them all.`);
}

/** What was not taken of the files, a line each, ten of them. */
function showWarnings(chapters: readonly Imported[]): string[] {
  const lines = chapters.flatMap(({ file, title, warnings = [] }) =>
    warnings.map((warning) => `${file ?? title}: ${warning}`),
  );
  const more = lines.length - MOST_TOLD;
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST_TOLD), `${counted(more, "more remark")} on files; --json lists them all`];
}

type Imported = ImportAnswer["chapters"][number];

const WOULD: Readonly<Record<string, string>> = {
  created: "would create",
  updated: "would update",
  deleted: "would delete",
  left: "would leave",
};

/** What became of something; of a dry run what would: "updated", "would update". */
function outcomeOf(status: string, isDry: boolean): string {
  return isDry ? (WOULD[status] ?? status) : status;
}

/** What an update does to a chapter: "+12 −4 words, 2 paragraphs edited, 1 removed, 1 mention dropped". */
function costOf(chapter: Imported, isDry: boolean): string {
  const { status, words, paragraphs, ...lost } = chapter;
  if (status === "left") return "changed in the manuscript only";
  if (status !== "updated") return "";
  return [
    `+${grouped(words.added)} −${grouped(words.removed)} words`,
    ...changedParagraphs(paragraphs, isDry),
    ...(chapter.titleChanged ? ["its title follows its heading"] : []),
    ...(chapter.headingChanged ? ["its heading follows its title"] : []),
    ...lossesOf(lost, isDry),
  ].join(", ");
}

function changesOf(
  terminal: Terminal,
  { status, changes = [], conflict }: Imported,
  isDry: boolean,
): string[] {
  if (conflict !== undefined) return conflict.paragraphs.slice(0, MOST_TOLD).flatMap(sidesOf);
  if (status !== "updated") return [];
  return showParagraphs(terminal, changes, isDry);
}

/** Each paragraph that a write changes, in one line with its words; of a dry run "edit" and not "edited". */
export function showParagraphs(
  terminal: Terminal,
  paragraphs: Comparison["paragraphs"],
  isDry: boolean,
): string[] {
  return paragraphs.map(({ blockId, status, changes }) => {
    const what = isDry ? TO_DO[status].replace("to ", "") : status;
    return `  ${blockId}  ${what}  ${showDiffBriefly(terminal, changes)}`;
  });
}

/** What a write does to a chapter, in a line: "+12 −4 words, 2 paragraphs edited, 1 removed, 1 mention dropped". */
export function costOfWrite(
  {
    words,
    paragraphs,
    ...lost
  }: Pick<DraftWrite, "words" | "paragraphs" | "mentionsDropped" | "snippetsDetached">,
  isDry: boolean,
): string {
  const counts = { edited: 0, new: 0, moved: 0, removed: 0 };
  for (const { status } of paragraphs) counts[status]++;
  return [
    `+${grouped(words.added)} −${grouped(words.removed)} words`,
    ...changedParagraphs(counts, isDry),
    ...lossesOf(lost, isDry),
  ].join(", ");
}

const LONGEST_SIDE = 60;
const BEFORE = 24;

/** What each side made of a paragraph, from a little before where they part. */
export function sidesOf({ mine, theirs }: NonNullable<Imported["conflict"]>["paragraphs"][number]): string[] {
  const [one, other] = [mine ?? "", theirs ?? ""];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const start = same <= BEFORE ? 0 : one.lastIndexOf(" ", same - BEFORE) + 1;
  const sideOf = (text: string | null) =>
    text === null ? "(taken out)" : `${start === 0 ? "" : "…"}${oneLine(text.slice(start), LONGEST_SIDE)}`;
  return [`  mine    ${sideOf(mine)}`, `  theirs  ${sideOf(theirs)}`];
}

/** Says which files are older than the last exchange, and how they would count all the same. */
export async function tellOlder(
  terminal: Terminal,
  { older = [] }: Pick<ImportAnswer, "older">,
): Promise<void> {
  if (older.length === 0) return;
  const more = older.length > 3 ? ` and ${older.length - 3} more` : "";
  await talk(
    terminal,
    `Older than the last exchange: ${older.slice(0, 3).join(", ")}${more}. What the manuscript has changed since stays; only what was edited in them counts. To go back to them as they were, put them there again and add --force mine.`,
  );
}

/** Says where the former text of files is that could not stay in its place, ten of them. */
export async function tellKept(
  terminal: Terminal,
  kept: readonly { file: string; keptAs: string }[] = [],
): Promise<void> {
  for (const { file, keptAs } of kept.slice(0, MOST_TOLD))
    await talk(terminal, `${file}: what it said is kept in ${keptAs}.`);
  const more = kept.length - MOST_TOLD;
  if (more > 0) await talk(terminal, `So are ${counted(more, "more file")}; --json lists them all.`);
}

/**
 * If both sides changed the same: leaves both texts next to each such file, says so, and ends with the exit code of a
 * conflict.
 */
export async function tellConflicts(
  call: Call,
  folder: string | undefined,
  { book, chapters, ...entries }: ImportAnswer,
): Promise<void> {
  if (book.conflicts.length > 0) {
    call.fail(EXIT.conflict);
    await talk(
      call.terminal,
      `You and the manuscript both changed the book's ${book.conflicts.join(", ")}; nothing of that was written. ${DECIDE}`,
    );
  }
  for (const { title, file, conflict } of chapters) {
    if (conflict === undefined) continue;
    call.fail(EXIT.conflict);
    if (folder === undefined || file === null) continue;
    const where = call.isDry
      ? ""
      : await whereabouts(() => writeConflict(folder, file, { title, ...conflict }));
    await talk(
      call.terminal,
      `${file}: you and the manuscript both changed ${whatOf(conflict)}; nothing of it was written.${where} ${DECIDE}`,
    );
  }
  await tellEntryConflicts(call, entries);
}

const DECIDE =
  "Make the file say what you want and run this again with --force mine, or keep the manuscript's with --force theirs.";

/** Where both texts are, or why they are nowhere: the answer is on stdout already, so that is no failure of its own. */
async function whereabouts(write: () => Promise<string>): Promise<string> {
  try {
    return ` Both texts are in ${await write()}.`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ` They could not be left beside it: ${error.message}`;
  }
}

function whatOf({ fields, paragraphs }: NonNullable<Imported["conflict"]>): string {
  const parts = [...fields.map((field) => `the ${field}`)];
  if (paragraphs.length > 0) parts.push(counted(paragraphs.length, "paragraph"));
  return parts.length === 0 ? "the text" : parts.join(", ");
}

type Entry = (ImportAnswer["facts"] | ImportAnswer["notes"])[number];

/** What became of each fact and note that is not the same, a line each. */
/** Says what of a document that came back was proposed, and what could not be. */
function showRest({ proposals = [], unsaid = [] }: ImportAnswer, isDry: boolean): string[] {
  return [
    ...proposals.map(
      ({ id, title, edits }) =>
        `${isDry ? "to propose" : "proposed"}: ${isDry ? "" : `${id}  `}${title}, ${counted(edits, "edit")}`,
    ),
    ...unsaid.map(({ title, reason }) => `${title}: not proposed: ${reason}`),
  ];
}

function showEntries({ facts, notes }: Pick<ImportAnswer, "facts" | "notes">, isDry: boolean): string[] {
  const changed = [...facts, ...notes].filter(({ status }) => status !== "same");
  return alignedLines(
    changed.map((entry) => [outcomeOf(entry.status, isDry), entry.id, nameOf(entry), remarkOf(entry, isDry)]),
  );
}

function nameOf(entry: Entry): string {
  return "name" in entry ? oneLine(entry.name, 60) : entry.kind;
}

function remarkOf(entry: Entry, isDry: boolean): string {
  const { status, gone, fields } = entry;
  const parts = [
    ...(fields ?? []),
    ...(gone === "file" && status === "left"
      ? ["gone from its file; it stays, unless you sync with --delete"]
      : []),
    ...(gone === "manuscript" ? ["gone from the manuscript"] : []),
    ...("mentionsDropped" in entry ? lossesOf({ mentionsDropped: entry.mentionsDropped }, isDry) : []),
    ...("lost" in entry && entry.lost !== undefined
      ? [`its place was not found; ${isDry ? "to detach" : "detached"} from “${oneLine(entry.lost, 60)}”`]
      : []),
  ];
  return parts.join(", ");
}

/** Names each fact and note that both sides changed, and sets the exit code of a conflict if there is one. */
async function tellEntryConflicts(
  call: Call,
  { facts, notes }: Pick<ImportAnswer, "facts" | "notes">,
): Promise<void> {
  const files = [
    ["facts.yaml", facts],
    ["notes.yaml", notes],
  ] as const;
  for (const [file, entries] of files) {
    for (const entry of entries.filter(({ status }) => status === "conflict")) {
      call.fail(EXIT.conflict);
      const what =
        entry.gone === "manuscript"
          ? "you changed it and the manuscript has given it up"
          : `you and the manuscript both changed its ${(entry.fields ?? []).join(", ")}`;
      await talk(
        call.terminal,
        `${file}, ${nameOf(entry)} (${entry.id}): ${what}; nothing of it was written. Take yours with --force mine, or keep the manuscript's with --force theirs.`,
      );
    }
  }
}
