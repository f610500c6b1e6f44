import type { Answer } from "../../api/operations.ts";
import { counted, number } from "../../parts/numbers.ts";

type Plan = Answer<"importSent">;
type Chapter = Plan["chapters"][number];

/** True if an import would change nothing. */
export function isNothing({ book, chapters, facts, notes, deleted, proposals = [] }: Plan): boolean {
  if (proposals.length + deleted.length > 0) return false;
  return [book, ...chapters, ...facts, ...notes].every(
    ({ status }) => status === "same" || status === "left",
  );
}

/** Returns what an import would do, a count for each kind of change. */
export function summaryOf(plan: Plan): string[] {
  const { book, chapters, facts, notes, layout, proposals = [] } = plan;
  if (isNothing(plan)) return ["Nothing would change", "all of it is here"];
  const of = (rows: readonly { status: string }[], status: string) =>
    rows.filter((row) => row.status === status).length;
  const some = (count: number, said: (count: number) => string) => (count === 0 ? [] : [said(count)]);
  const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  if (book.status === "created")
    return [
      counted(chapters.length, "chapter"),
      counted(words, "word"),
      ...some(facts.length, (count) => `${counted(count, "fact")} of the story map`),
      ...some(notes.length, (count) => counted(count, "note")),
    ];
  const noun = layout === "comments" ? "comment" : "note";
  return [
    ...some(of(chapters, "updated"), (count) => `${counted(count, "chapter")} to change`),
    ...some(of(chapters, "created"), (count) => counted(count, "new chapter")),
    ...some(of(chapters, "conflict"), (count) => `${counted(count, "chapter")} changed on both sides`),
    ...some(of(notes, "created"), (count) => counted(count, `new ${noun}`)),
    ...some(of(notes, "updated"), (count) => `${counted(count, noun)} to change`),
    ...some(facts.length - of(facts, "same"), (count) => `${counted(count, "fact")} of the story map`),
    ...some(
      proposals.reduce((sum, { edits }) => sum + edits, 0),
      (count) => `${counted(count, "change")} to propose`,
    ),
    ...some(
      of(chapters, "same") + of(chapters, "left"),
      (count) => `${counted(count, "chapter")} as they are`,
    ),
    ...some(of(notes, "same"), (count) => `${counted(count, noun)} here already`),
  ];
}

/** Returns a sentence that says how the files were read. */
export function howRead({ layout, why }: Plan): string {
  if (layout === "comments") return `Each stands beside its paragraph${why && `, with the name of ${why}`}.`;
  return `Read as ${layout === "document" ? why : `${layout}: ${why}`}.`;
}

const STATUS: Readonly<Record<string, string>> = {
  created: "new",
  same: "the same",
  left: "changed here alone, and kept",
  conflict: "changed on both sides; what is here stays",
};

/** What would become of a chapter, such as "+12 −4 words, 2 paragraphs edited". */
export function toldOf({ status, words, wordCount, paragraphs, ...lost }: Chapter): string {
  if (status === "created") return `new · ${counted(wordCount, "word")}`;
  if (status !== "updated") return STATUS[status] ?? status;
  const { edited, moved, removed } = paragraphs;
  const some = (count: number, said: string) => (count === 0 ? [] : [said]);
  return [
    `+${number(words.added)} −${number(words.removed)} words`,
    ...some(edited, `${counted(edited, "paragraph")} edited`),
    ...some(paragraphs.new, `${number(paragraphs.new)} new`),
    ...some(moved, `${number(moved)} moved`),
    ...some(removed, `${number(removed)} removed`),
    ...some(lost.mentionsDropped.length, `${counted(lost.mentionsDropped.length, "mention")} dropped`),
    ...some(
      lost.snippetsDetached.length,
      `${counted(lost.snippetsDetached.length, "note")} without a paragraph`,
    ),
    ...(lost.titleChanged ? ["the title follows the heading"] : []),
  ].join(", ");
}

const LONGEST = 60;

/** What a writer should know of an import beside its counts, a sentence each. */
export function remarksOf({
  book,
  chapters,
  notes,
  moved,
  deleted,
  older = [],
  unsaid = [],
  metadata = {},
}: Plan): string[] {
  const described = Object.entries(metadata).map(([field, value]) => `${field} ${value.slice(0, LONGEST)}`);
  return [
    ...(described.length === 0 ? [] : [`Comes in, too: ${described.join(", ")}.`]),
    ...moved.map(
      ({ from, to, paragraphs }) =>
        `${counted(paragraphs, "paragraph")} would go from “${from.title}” to “${to.title}”.`,
    ),
    ...deleted.map(({ file }) => `${file}: its chapter was deleted here; it is left out.`),
    ...(book.conflicts.length === 0
      ? []
      : [`Changed on both sides, and kept: ${book.conflicts.join(", ")}.`]),
    ...notes.flatMap(({ lost }) =>
      lost === undefined
        ? []
        : [
            `No paragraph says “${lost.slice(0, LONGEST)}” any more; its note would stand beside the chapter.`,
          ],
    ),
    ...unsaid.map(({ title, reason }) => `“${title}” cannot be proposed: ${reason}`),
    ...chapters.flatMap(({ file, title, warnings = [] }) =>
      warnings.map((warning) => `${file ?? title}: ${warning}`),
    ),
    ...older.map((file) => `${file} is older than what is here: only what was edited in it counts.`),
  ];
}
