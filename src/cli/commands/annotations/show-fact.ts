import type { AnswerOf } from "../../../contract/index.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import { styled, type Terminal } from "../../io/terminal.ts";

type Shown = AnswerOf<"readFact">;
type Passages = AnswerOf<"readPassages">;

/**
 * A fact as text: its names, kind and summary, its attributes, what the prose says of it, and its mentions under the titles
 * of their chapters.
 */
export function showFact(
  terminal: Terminal,
  { fact, mentions, groups }: Shown & Passages,
  chapters: readonly { id: string; title: string }[],
): string {
  const { id, name, kind, aliases, attributes, summary } = fact;
  const head = [id, styled(terminal, "bold", name), kind].filter(Boolean).join("  ");
  const titleOf = (id: string) =>
    chapters.find((chapter) => chapter.id === id)?.title ?? "a chapter that is gone";
  const about = [aliases.length === 0 ? "" : `also ${aliases.join(", ")}`, summary].filter(Boolean);
  const pairs = alignedLines(
    attributes.map(({ key, value, fromChapterId }) => [
      `${key}:`,
      value + (fromChapterId === undefined ? "" : ` (from ${titleOf(fromChapterId)})`),
    ]),
  );
  const described = groups.flatMap((group) => showGroup(terminal, group));
  const lines = [head, ...about, ...pairs, ...described, "", counted(mentions.length, "mention")];
  let chapter = "";
  for (const mention of mentions) {
    if (mention.chapterId !== chapter)
      lines.push("", `${mention.chapterId}  ${styled(terminal, "bold", mention.chapterTitle)}`);
    chapter = mention.chapterId;
    lines.push(`  ${mention.blockId}  ${around(terminal, mention)}`);
  }
  return lines.join("\n");
}

const TITLE = 24;

/** What is said of one attribute, a sentence a line behind the title of its chapter, so that two can be compared. */
function showGroup(terminal: Terminal, { attribute, passages }: Passages["groups"][number]): string[] {
  const rows = passages.map((passage) => [oneLine(passage.chapterTitle, TITLE), inBold(terminal, passage)]);
  return ["", styled(terminal, "bold", attribute), ...alignedLines(rows).map((line) => `  ${line}`)];
}

/** The sentence, with what tells of the attribute in bold. */
function inBold(
  terminal: Terminal,
  { text, highlights }: Passages["groups"][number]["passages"][number],
): string {
  let [shown, end] = ["", 0];
  for (const [from, to] of highlights) {
    if (from < end) continue;
    shown += text.slice(end, from) + styled(terminal, "bold", text.slice(from, to));
    end = to;
  }
  return (shown + text.slice(end)).replace(/\s+/g, " ").trim();
}

const SHOWN = 40;

/** The mention in bold between what stands next to it, in one line. */
function around(terminal: Terminal, { before, text, after }: Shown["mentions"][number]): string {
  const flat = (part: string) => part.replace(/\s+/g, " ");
  const left = flat(before).length > SHOWN ? `…${flat(before).slice(-SHOWN)}` : flat(before);
  const right = flat(after);
  const shown = right.length > SHOWN ? `${right.slice(0, SHOWN).trimEnd()}…` : right;
  return `${left.toWellFormed()}${styled(terminal, "bold", oneLine(text, 80))}${shown.toWellFormed()}`.trim();
}
