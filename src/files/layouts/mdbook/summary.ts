import { BadRequest } from "../../../refusals.ts";

/** A chapter's line in a `SUMMARY.md`. */
export interface SummaryItem {
  title: string;
  /** Decoded link target without anchor; "" for a chapter not written yet. */
  target: string;
  /** Title of its part; null before the first part and for a chapter outside the list. */
  part: string | null;
  line: number;
}

const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)$/;
const ITEM = /^[ \t]*[-*+][ \t]+(.*)$/;
const LINK =
  /^\[((?:\\.|[^\]\\])*)\]\([ \t]*(?:<([^>]*)>|((?:[^()\s]|\([^()\s]*\))*))(?:[ \t]+(?:"[^"]*"|'[^']*'))?[ \t]*\)/;

/**
 * Reads the chapters of a `SUMMARY.md` in order, nested ones after their parents. A first heading above all chapters
 * is the summary's own title; every other begins a part. Throws `BadRequest` with the line of a broken link. Source:
 * https://rust-lang.github.io/mdBook/format/summary.html.
 */
export function readSummary(text: string, index: string): SummaryItem[] {
  const items: SummaryItem[] = [];
  let part: string | null = null;
  let isTitled = false;
  withoutComments(text)
    .split(/\r\n|\r|\n/)
    .forEach((content, place) => {
      const line = place + 1;
      const heading = HEADING.exec(content)?.[1];
      if (heading !== undefined) {
        if (isTitled || items.length > 0) part = plain(heading.trimEnd().replace(/[ \t]#{1,6}$/, "")) || null;
        isTitled = true;
        return;
      }
      const inList = ITEM.exec(content)?.[1];
      const item = (inList ?? content).trim();
      if (!item.startsWith("[")) {
        // An item without a link has no text of its own, whatever is below it.
        const isPlain = inList !== undefined && !/^[-*_ \t]*$/.test(inList);
        if (isPlain) items.push({ title: plain(item), target: "", part, line });
        return;
      }
      const link = LINK.exec(item);
      if (link === null) {
        throw new BadRequest(
          `${index}: line ${line} is no link to a chapter: write [Title](file.md), with %20 for a blank, or [Title]() for one not written yet.`,
        );
      }
      const [, title = "", quoted, bare] = link;
      const target = decoded((quoted ?? bare ?? "").replace(/#.*$/, ""));
      items.push({ title: plain(title), target, part: inList === undefined ? null : part, line });
    });
  return items;
}

/** Blanks out comments, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\r\n]/g, ""));
}

/** Returns the text of a link or heading without marks. */
function plain(text: string): string {
  return text
    .replace(/\\(.)/g, "$1")
    .replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "")
    .trim();
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target; // a lone %
  }
}
