import type { AnswerOf } from "../../../contract/index.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { alignedLines, counted, oneLine } from "../../output/columns.ts";

type Shown = AnswerOf<"readFact">;

/** A fact as text: its names, kind and summary, its attributes, and its mentions under the titles of their chapters. */
export function showFact(terminal: Terminal, { fact, mentions }: Shown): string {
  const { id, name, kind, aliases, attributes, summary } = fact;
  const head = [id, styled(terminal, "bold", name), kind].filter(Boolean).join("  ");
  const about = [aliases.length === 0 ? "" : `also ${aliases.join(", ")}`, summary].filter(Boolean);
  const pairs = alignedLines(attributes.map(({ key, value }) => [`${key}:`, value]));
  const lines = [head, ...about, ...pairs, counted(mentions.length, "mention")];
  let chapter = "";
  for (const mention of mentions) {
    if (mention.chapterId !== chapter)
      lines.push("", `${mention.chapterId}  ${styled(terminal, "bold", mention.chapterTitle)}`);
    chapter = mention.chapterId;
    lines.push(`  ${mention.blockId}  ${around(terminal, mention)}`);
  }
  return lines.join("\n");
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
