import type { AnswerOf } from "../../contract/index.ts";
import { listFacts, readFact } from "../../service/annotations/facts.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { paragraphNumbers } from "../../service/prose/numbered-paragraphs.ts";
import { counted, oneLine } from "../../text/columns.ts";
import { fenced, moreOf, type Part, pageOf } from "../answers/answer.ts";
import { findBookNamed, findFactNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const SUMMARY_CHARACTERS = 200;

/** The story map, or one of its facts. */
export function answerCast(
  { manuscript }: ToolAsking,
  { name, book, ...part }: ToolInput<"read_cast">,
): string {
  return manuscript.store.snapshot(() => {
    if (name !== undefined) return showFact(manuscript, findFactNamed(manuscript, name, book).id, part);
    const { facts } = listFacts(manuscript, findBookNamed(manuscript, book).id);
    const page = pageOf(
      facts,
      part,
      (fact) => `${leadOf(fact)}: ${oneLine(fact.summary, SUMMARY_CHARACTERS)}`,
    );
    return `${counted(facts.length, "fact")}.${moreOf(page)}\n${fenced(page.lines)}`;
  });
}

type Fact = AnswerOf<"readFact">["fact"];

function leadOf({ id, name, kind, aliases }: Fact): string {
  const also = aliases.length === 0 ? "" : `, also ${aliases.join(", ")}`;
  return `${name} (${id}) ${kind}${also}`;
}

function showFact(manuscript: Manuscript, factId: string, part: Part): string {
  const { fact, mentions } = readFact(manuscript, factId);
  const attributes = fact.attributes.map(
    ({ key, value, fromChapterId }) =>
      `${key}: ${value}${fromChapterId === undefined ? "" : ` (from ${fromChapterId} on)`}`,
  );
  const numbers = new Map<string, Map<string, number>>();
  const numbersOf = (chapterId: string) => {
    const known = numbers.get(chapterId) ?? paragraphNumbers(manuscript, chapterId);
    numbers.set(chapterId, known);
    return known;
  };
  const about = [leadOf(fact), fact.summary, ...attributes].filter(Boolean);
  const lines = mentions.map(
    ({ chapterId, chapterTitle, blockId, before, text, after }) =>
      `${chapterTitle} (${chapterId}) ¶${numbersOf(chapterId).get(blockId) ?? "?"} …${oneLine(`${before}${text}${after}`, 160)}…`,
  );
  const page = pageOf(lines, part, String, MENTION_TOKENS);
  const top = pageOf(about, part.limit === undefined ? {} : { limit: about.length }, String, ABOUT_TOKENS);
  const shown = page.first > 1 ? page.lines : [...top.lines, ...page.lines];
  const left = page.first > 1 || top.next === undefined ? "" : " Not all about it is shown: give limit.";
  return `${counted(mentions.length, "mention")}.${left}${moreOf(page)}\n${fenced(shown)}`;
}

const MENTION_TOKENS = 3000;
const ABOUT_TOKENS = 2000;
