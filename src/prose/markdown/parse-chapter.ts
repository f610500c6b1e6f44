import { LIMITS } from "../../contract/limits.ts";
import { BadRequest, PayloadTooLarge } from "../../refusals.ts";
import { CONTROL_CHARACTER, placesOf, strayedIn } from "../../text/clean-text.ts";
import { ANY_ROOM, type ChapterRoom } from "../document/room.ts";
import type { LineEnds, SourceBlock, SourceChapter } from "../document/types.ts";
import { parseBlocks } from "./parser.ts";

const BOM = "\ufeff";
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a chapter's Markdown into top-level blocks with their authors' bytes; every `blockId` is null. `definitions`
 * is Markdown with link reference definitions from elsewhere, its line ends `\n`. Linear time. Loses no character:
 * `joinMarkdown(parseMarkdown(m)) === m`. Throws BadRequest on control characters, lone surrogates and containers
 * nested over the cap, PayloadTooLarge for a document over `room`. Source: docs/decisions/014-markdown.md.
 */
export function parseMarkdown(
  markdown: string,
  definitions = "",
  room: ChapterRoom = ANY_ROOM,
): SourceChapter {
  refuseCharacters(markdown);
  const bom = markdown.startsWith(BOM);
  const body = bom ? markdown.slice(1) : markdown;
  const eol = lineEndsOf(body);
  const text = eol === "crlf" ? body.replaceAll("\r\n", "\n") : body;
  const plain = eol === "mixed" ? body.replace(/\r\n?/g, "\n") : text;
  const { nodes, lines } = parseBlocks(plain, definitions, room);
  const starts = lineStarts(text, eol);
  const ranges = lines.map((range) => sliceRange(text, starts, range));
  const head = text.slice(0, ranges[0]?.[0]);
  const blocks = nodes.map((node, at): SourceBlock => {
    const [from, to] = ranges[at] as [number, number];
    return { node, source: text.slice(from, to), gap: text.slice(to, ranges[at + 1]?.[0]) };
  });
  return { bom, eol, head, blocks };
}

/** Throws `PayloadTooLarge` if Markdown is longer than a chapter may be. */
export function assertSize(markdown: string): void {
  const bytes = Buffer.byteLength(markdown);
  if (bytes <= LIMITS.markdownBytes) return;
  throw new PayloadTooLarge(
    `The Markdown has ${bytes} bytes; a chapter takes at most ${LIMITS.markdownBytes} (4 MiB). Split the chapter.`,
  );
}

function refuseCharacters(text: string): void {
  if (CONTROL_CHARACTER.test(text)) {
    const strayed = strayedIn(text);
    const isOne = strayed.length === 1;
    throw new BadRequest(
      `The text holds ${isOne ? "the control character" : "control characters:"} ${placesOf(strayed)}; remove ${isOne ? "it" : "them"} and send the text again.`,
    );
  }
  const surrogate = text.isWellFormed() ? null : LONE_SURROGATE.exec(text); // nine times slower than the question
  if (surrogate) {
    throw new BadRequest(
      `The text holds half a surrogate pair in line ${lineAt(text, surrogate.index)}; send the text as well-formed UTF-8.`,
    );
  }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function lineEndsOf(body: string): LineEnds {
  if (!body.includes("\r")) return "lf";
  return /\r(?!\n)|(?<!\r)\n/.test(body) ? "mixed" : "crlf";
}

function lineStarts(text: string, eol: LineEnds): number[] {
  const starts = [0];
  if (eol === "mixed") {
    for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
    return starts;
  }
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

// Returns the range from the first line's start to the last line's end. Blank lines at the end of a list or quote go
// to the gap.
function sliceRange(
  text: string,
  starts: readonly number[],
  [first, behind]: readonly [number, number],
): [number, number] {
  const from = starts[first] ?? text.length;
  let to = starts[behind] ?? text.length;
  while (to > from && " \t\n\r".includes(text.charAt(to - 1))) to--;
  while (to < text.length && " \t".includes(text.charAt(to))) to++;
  return [from, to];
}
