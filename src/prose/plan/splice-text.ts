import type { TextEdit } from "../document/text-edit.ts";

/**
 * A block's Markdown with edits of its leaves' texts done where those letters stand; `leaves` are all of the block's, in
 * order. Undefined where a text cannot be followed through the Markdown. It follows letters, not grammar: the caller
 * proves by reading it that the outcome says what it should. O(source).
 */
export function spliceTexts(
  source: string,
  leaves: readonly { text: string; edits: readonly TextEdit[] }[],
): string | undefined {
  let done = "";
  let copied = 0;
  let at = 0;
  for (const { text, edits } of leaves) {
    let next = 0;
    for (let offset = 0; offset < text.length; offset++) {
      const place = placeOf(source, at, text.charAt(offset));
      if (place === undefined) return undefined;
      if (edits[next]?.from === offset) {
        done += source.slice(copied, place) + escaped(edits[next]!.insert); // found one line above
        copied = place;
      }
      at = place + 1;
      if (edits[next]?.to === offset + 1) {
        copied = at;
        next++;
      }
    }
  }
  return done + source.slice(copied);
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<~]|&(?=[#\w])/g, "\\$&");
}

/** Where the letter stands next, past marks, tags and the destinations of links. */
function placeOf(source: string, from: number, letter: string): number | undefined {
  for (let at = from; at < source.length; at++) {
    const found = source.charAt(at);
    if (found === letter) return at;
    if (found === "]" && source.charAt(at + 1) === "(") at = endOf(source, at, ")");
    else if (found === "<") at = endOf(source, at, ">");
  }
  return undefined;
}

function endOf(source: string, at: number, mark: string): number {
  const end = source.indexOf(mark, at);
  return end < 0 ? at : end;
}
