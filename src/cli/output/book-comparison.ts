import type { AnswerOf } from "../../contract/index.ts";
import { alignedLines, counted, grouped, localTime, oneLine } from "../../text/columns.ts";

type Comparison = Omit<AnswerOf<"compareBooks">, "from" | "to">;
type Chapter = Comparison["chapters"][number];
type Point = AnswerOf<"compareBooks">["from"];

/** A moment as a line names it: "Draft 2 (2026-03-01 12:00)". */
export function pointInWords({ milestone, at, act }: Point): string {
  if (at === null) return "before anything was written";
  return milestone === null ? `${localTime(at)} (${act})` : `${milestone.name} (${localTime(at)})`;
}

/** What is said of chapters, paragraphs and parts. */
type Words = Readonly<Record<"changed" | "edited" | "new" | "removed" | "moved", string>>;

const COMPARED: Words = {
  changed: "changed",
  edited: "edited",
  new: "new",
  removed: "removed",
  moved: "moved",
};
/** Of those of a book that is put back. */
const PUT_BACK: Words = { ...COMPARED, new: "back", removed: "gone" };
/** Of those of a book that would be. */
const TO_PUT_BACK: Words = {
  changed: "to change",
  edited: "to edit",
  new: "to bring back",
  removed: "to go",
  moved: "to move",
};

/** How it is told that a book was put back, or would be. */
export function ofRestore(isDry: boolean): Words {
  return isDry ? TO_PUT_BACK : PUT_BACK;
}

/** What of a book differs, in a line: "14 chapters changed, 1 new, 2 moved, +3,204 −1,120 words"; undefined for nothing. */
export function totalsInWords(
  { totals, title, parts, goalChanged }: Comparison,
  said = COMPARED,
): string | undefined {
  const { chapters, words } = totals;
  const counts = (["changed", "new", "removed", "moved"] as const).filter((what) => chapters[what] > 0);
  const all = counts.map((what, index) => told(chapters[what], "chapter", { index, what: said[what] }));
  if (words.added + words.removed > 0) all.push(wordsOf(words, " words"));
  if (parts.length > 0) all.push(`${counted(parts.length, "part")} ${said.changed}`);
  if (isRenamed(title)) all.push("another title");
  if (goalChanged) all.push("another goal");
  return all.length === 0 ? undefined : all.join(", ");
}

/** The chapters and parts that differ, a line each. */
export function showComparison({ chapters, parts, title }: Comparison, said = COMPARED): string[] {
  const rows = chapters
    .filter(({ change }) => change !== "same")
    .map((chapter) => {
      const { position, title } = chapter.to ?? chapter.from!; // one of the two is there
      const name = oneLine(title, LONGEST_TITLE);
      return [
        chapter.to === null ? "" : String(position),
        name,
        whatOf(chapter, said),
        wordsOf(chapter.words),
      ];
    });
  const named = parts.map(({ from, to }) => {
    if (from === null) return `part ${to?.title}: ${said.new}`;
    if (to === null) return `part ${from.title}: ${said.removed}`;
    if (from.title !== to.title) return `part ${from.title} → ${to.title}`;
    return `part ${to.title}: ${said.moved}`;
  });
  return [
    ...alignedLines(rows, [0, 3]),
    ...named,
    ...(isRenamed(title) ? [`the book's title: ${title.from} → ${title.to}`] : []),
  ];
}

function isRenamed({ from, to }: Comparison["title"]): boolean {
  return from !== null && to !== null && from !== to;
}

const LONGEST_TITLE = 40;

/** "3 chapters new", and behind others "3 new". */
function told(count: number, noun: string, { index, what }: { index: number; what: string }): string {
  return `${index === 0 ? counted(count, noun) : grouped(count)} ${what}`;
}

/** "was Storm; moved; 12 paragraphs edited, 3 new". */
function whatOf({ change, changes, from, to, paragraphs }: Chapter, said: Words): string {
  if (change === "new" || change === "removed") return said[change];
  const fields = changes.flatMap((field) => {
    if (field === "title") return [`was ${oneLine(from?.title ?? "", LONGEST_TITLE)}`];
    if (field === "part") return [to?.partTitle == null ? "out of its part" : `in ${to.partTitle}`];
    if (field === "place") return [said.moved];
    return field === "prose" ? [] : [`${field} ${said.changed}`];
  });
  const counts = (["edited", "new", "moved", "removed"] as const)
    .filter((what) => paragraphs[what] > 0)
    .map((what, index) => told(paragraphs[what], "paragraph", { index, what: said[what] }));
  const prose = changes.includes("prose") && counts.length === 0 ? ["paragraphs went elsewhere"] : [];
  return [...fields, ...(counts.length > 0 ? [counts.join(", ")] : prose)].join("; ");
}

function wordsOf({ added, removed }: Chapter["words"], unit = ""): string {
  return added + removed === 0 ? "" : `+${grouped(added)} −${grouped(removed)}${unit}`;
}
