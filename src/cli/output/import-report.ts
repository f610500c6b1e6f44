import { EXIT } from "../../contract/problems.ts";
import { writeConflict } from "../../files/disk/conflict-file.ts";
import { Refusal } from "../../refusals.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { Call } from "../io/call.ts";
import { type Terminal, talk } from "../io/terminal.ts";
import { alignedLines, counted, grouped, oneLine } from "./columns.ts";
import { showDiffBriefly } from "./word-diff.ts";

/**
 * What became of each file, a line each, with what changed if the answer has it; those that are the same are counted,
 * and listed by a dry run alone.
 */
export function showImport(terminal: Terminal, answer: ImportAnswer, { isDry }: { isDry: boolean }): string {
  const { bookId, title, book, deleted, chapters } = answer;
  const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const told = chapters.filter(({ status }) => isDry || status !== "same");
  const same = chapters.length - told.length;
  const lines = alignedLines(
    told.map((chapter) => [
      chapter.status,
      chapter.id,
      chapter.title,
      counted(chapter.wordCount, "word"),
      costOf(chapter),
    ]),
    [3],
  );
  const shown = lines.flatMap((line, index) => [line, ...changesOf(terminal, told[index]!)]); // one line a chapter
  return [
    ...shown,
    ...(same === 0 ? [] : [`same: ${counted(same, "chapter")}`]),
    ...(book.status === "updated" ? [`book: ${book.fields.join(", ")}`] : []),
    ...deleted.map(({ file }) => `${file}: the manuscript has deleted its chapter; left out`),
    ...showEntries(answer),
    `${bookId}  ${title}: ${counted(chapters.length, "chapter")}, ${counted(words, "word")}`,
  ].join("\n");
}

/** True if an import changed nothing, or would not. */
export function isAllSame({ book, chapters, facts, notes }: ImportAnswer): boolean {
  return [book, ...chapters, ...facts, ...notes].every(
    ({ status }) => status === "same" || status === "left",
  );
}

const MOST_TOLD = 10;

/** Says on stderr which files were left out, ten of them with the reason. */
export async function tellSkipped(
  terminal: Terminal,
  skipped: readonly { file: string; reason: string }[],
): Promise<void> {
  for (const { file, reason } of skipped.slice(0, MOST_TOLD)) {
    await talk(terminal, `Left out ${file}: ${reason}.`);
  }
  const more = skipped.length - MOST_TOLD;
  if (more > 0) await talk(terminal, `Left out ${counted(more, "more file")}; --json lists them all.`);
}

type Imported = ImportAnswer["chapters"][number];

/** What an update does to a chapter: "+12 −4 words, 2 paragraphs edited, 1 removed, 1 mention dropped". */
function costOf(chapter: Imported): string {
  const { status, words, paragraphs } = chapter;
  if (status === "left") return "changed in the manuscript only";
  if (status !== "updated") return "";
  const parts = (["edited", "new", "moved", "removed"] as const)
    .filter((what) => paragraphs[what] > 0)
    .map((what, index) => {
      const count = paragraphs[what];
      return `${index === 0 ? counted(count, "paragraph") : grouped(count)} ${what}`;
    });
  return [
    `+${grouped(words.added)} −${grouped(words.removed)} words`,
    ...parts,
    ...annotationsTouched(chapter),
  ].join(", ");
}

/** What a write did to mentions and notes, in words: "1 mention dropped", "2 notes moved". */
export function annotationsTouched({
  mentionsDropped,
  snippetsDetached,
  snippetsMoved,
}: Pick<Imported, "mentionsDropped" | "snippetsDetached" | "snippetsMoved">): string[] {
  return [
    ...(mentionsDropped.length === 0 ? [] : [`${counted(mentionsDropped.length, "mention")} dropped`]),
    ...(snippetsDetached.length === 0 ? [] : [`${counted(snippetsDetached.length, "note")} detached`]),
    ...(snippetsMoved.length === 0
      ? []
      : [`${counted(snippetsMoved.length, "note")} moved with its paragraph`]),
  ];
}

function changesOf(terminal: Terminal, { status, changes = [], conflict }: Imported): string[] {
  if (conflict !== undefined) return conflict.paragraphs.slice(0, MOST_TOLD).flatMap(sidesOf);
  if (status !== "updated") return [];
  return changes.map(
    ({ blockId, status: what, changes: text }) => `  ${blockId}  ${what}  ${showDiffBriefly(terminal, text)}`,
  );
}

const LONGEST_SIDE = 60;
const BEFORE = 24;

/** What each side made of a paragraph, from a little before where they part. */
function sidesOf({ mine, theirs }: NonNullable<Imported["conflict"]>["paragraphs"][number]): string[] {
  const [one, other] = [mine ?? "", theirs ?? ""];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const start = same <= BEFORE ? 0 : one.lastIndexOf(" ", same - BEFORE) + 1;
  const sideOf = (text: string | null) =>
    text === null ? "(taken out)" : `${start === 0 ? "" : "…"}${oneLine(text.slice(start), LONGEST_SIDE)}`;
  return [`  mine    ${sideOf(mine)}`, `  theirs  ${sideOf(theirs)}`];
}

/**
 * If both sides changed the same: leaves both texts next to each such file, says so, and ends with the exit code of a
 * conflict.
 */
export async function tellConflicts(
  call: Call,
  folder: string | undefined,
  { book, chapters, isDry, ...entries }: ImportAnswer & { isDry: boolean },
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
    const where = isDry ? "" : await whereabouts(() => writeConflict(folder, file, { title, ...conflict }));
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
function showEntries({ facts, notes }: Pick<ImportAnswer, "facts" | "notes">): string[] {
  const changed = [...facts, ...notes].filter(({ status }) => status !== "same");
  return alignedLines(changed.map((entry) => [entry.status, entry.id, nameOf(entry), remarkOf(entry)]));
}

function nameOf(entry: Entry): string {
  return "name" in entry ? oneLine(entry.name, 60) : entry.kind;
}

function remarkOf(entry: Entry): string {
  const { status, gone, fields } = entry;
  const parts = [
    ...(fields ?? []),
    ...(gone === "file" && status === "left"
      ? ["gone from its file; it stays, unless you sync with --delete"]
      : []),
    ...(gone === "manuscript" ? ["gone from the manuscript"] : []),
    ...("mentionsDropped" in entry && entry.mentionsDropped !== undefined && entry.mentionsDropped.length > 0
      ? [`${counted(entry.mentionsDropped.length, "mention")} dropped`]
      : []),
    ...("lost" in entry && entry.lost !== undefined
      ? [`its place was not found; detached from “${oneLine(entry.lost, 60)}”`]
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
