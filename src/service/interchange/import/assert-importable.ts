import type { IncomingChapter, StoredChapter } from "../../../book/book.ts";
import { BadRequest } from "../../../refusals.ts";
import { CONFLICT_MARKERS_LEFT, hasConflictMarkers } from "../../../text/clean-text.ts";
import type { Side } from "../../../three-way.ts";

/**
 * Throws `BadRequest`, naming the file and the remedy, for text that is not prose: an unresolved merge, or misplaced
 * front matter. A chapter that has such lines already may keep them.
 */
export function assertImportable(
  { name, markdown, prose }: IncomingChapter,
  stored: StoredChapter | undefined,
  force: Side | undefined,
): void {
  if (force === "incoming") return;
  if (!MAY_BE.test(markdown)) return;
  // Code may show such lines as an example.
  const blocks = prose.blocks.filter(({ node }) => node.type !== "code_block");
  const text = prose.head + blocks.map(({ source, gap }) => source + gap).join("");
  const had = (isIn: (text: string) => boolean) => stored !== undefined && isIn(stored.markdown().toString());
  const fault = FAULTS.find(({ isIn }) => isIn(text) && !had(isIn));
  if (fault === undefined) return;
  throw new BadRequest(`${name} ${fault.said}, or take it as it is with --force mine. Nothing was written.`);
}

/** Line that each of these faults contains. Hardly any prose has one. */
const MAY_BE = /^(?:<{7}|={7}|---)/m;

const FAULTS = [
  { isIn: hasConflictMarkers, said: CONFLICT_MARKERS_LEFT },
  {
    isIn: holdsFrontMatter,
    said: 'holds front matter, with the id of a chapter, where it does not count: put it at the very top, between "---" and "---", one block a file',
  },
  {
    isIn: isCutFrontMatter,
    said: 'ends within its front matter, before its second "---": bring back what is gone of it',
  },
];

/** True if exported front matter stands within the prose: two files were joined, or it was moved. */
function holdsFrontMatter(text: string): boolean {
  return text
    .split(/^---[ \t]*$/m)
    .some((block, index) => index > 0 && /^id: *["']?ch_[0-9a-z]{16}\b/m.test(block));
}

/** True if the text is only the beginning of front matter: its file was cut off. */
function isCutFrontMatter(text: string): boolean {
  const [fence, ...lines] = text.trimEnd().split("\n");
  if (fence?.trimEnd() !== "---") return false;
  return (
    lines.length > 0 && lines.every((line) => /^(?:title|part|status|synopsis|id|revision|tags):/.test(line))
  );
}
