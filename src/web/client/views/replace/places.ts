import type { Answer } from "../../api/operations.ts";
import { sentenceAfter, sentenceBefore } from "./sentence.ts";

/** The effect of replacing, by its dry run. */
export type Plan = Answer<"replaceInBook">;
/** A chapter in which something would be replaced. */
export type PlanChapter = Plan["chapters"][number];

/** One find: what stands there, what would, and the words of its sentence on either side. */
export interface Find {
  key: string;
  place: { blockId: string; from: number };
  before: string;
  old: string;
  insert: string;
  after: string;
}

/** More places than these are sent as whole chapters where all of a chapter is meant. */
const MOST_PLACES = 4000;

/** Every find of a chapter in reading order. */
export function findsIn({ paragraphs }: PlanChapter): Find[] {
  return paragraphs.flatMap(({ blockId, before: text, edits }) =>
    edits.map(({ from, to, insert }) => ({
      key: `${blockId}:${from}`,
      place: { blockId, from },
      before: sentenceBefore(text.slice(0, from)),
      old: text.slice(from, to),
      insert,
      after: sentenceAfter(text.slice(to)),
    })),
  );
}

/** The request for the finds that are not left out: place by place, so that nothing else is ever replaced. */
export function chosenOf(
  { chapters, replaced }: Plan,
  left: ReadonlySet<string>,
): { chapterId: string; places?: { blockId: string; from: number }[] }[] {
  return chapters.flatMap((chapter) => {
    const finds = findsIn(chapter);
    const chosen = finds.filter(({ key }) => !left.has(key));
    if (chosen.length === 0) return [];
    const isWhole = chosen.length === finds.length && replaced > MOST_PLACES;
    return [{ chapterId: chapter.id, ...(isWhole ? {} : { places: chosen.map(({ place }) => place) }) }];
  });
}

/** The pattern's fault in words; undefined for one that can be searched for. */
export function faultOf(find: string, isRegex: boolean): string | undefined {
  if (!isRegex || find.trim() === "") return undefined;
  try {
    new RegExp(find, "u");
    return undefined;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^.*: /s, "") : "it cannot be read";
    return `This is not a regular expression yet: ${why.charAt(0).toLowerCase()}${why.slice(1)}.`;
  }
}
