/** Texts up to so many UTF-16 units, about 300 words, are one piece. */
const SHORT = 1800;
/** No piece but the last is shorter: pieces of much the same length cost the least to edit for their number. */
const SHORTEST = 400;
/** Behind that, a text is cut at one place between words out of so many. */
const ONE_IN = 24;
/** What comes before a place decides whether it is cut there: so many UTF-16 units. */
const WINDOW = 12;
/** A text that repeats itself, or has no blanks, may never be cut there: then it is cut here, if need be within a word. */
const LONGEST = 16_000;

/**
 * A long text in pieces of about 100 words, cut between words wherever there are any: side by side they are the text, and
 * hold the terms that it holds. The letters before a place decide whether it is cut there, so an edit leaves the pieces before it as they were,
 * and those behind it but for the first few. Source: Muthitacharoen, Chen and Mazières 2001.
 */
export function cutPieces(text: string): string[] {
  if (text.length <= SHORT) return [text];
  const pieces: string[] = [];
  let from = 0;
  let gap = 0;
  const cut = (to: number) => {
    pieces.push(text.slice(from, to));
    from = to;
    return to + SHORTEST;
  };
  for (let at = SHORTEST; at < text.length; at += 1) {
    const isGap = isBetweenWords(text.charCodeAt(at - 1));
    if (isGap) gap = at;
    if (isGap && hashBefore(text, at) % ONE_IN === 0) at = cut(at);
    else if (at - from >= LONGEST) at = cut(gap > from ? gap : wholeCharacter(text, at));
  }
  pieces.push(text.slice(from));
  return pieces;
}

function wholeCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/** A blank, a line end, or what ends a sentence of Han or kana. */
function isBetweenWords(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f;
}

/** FNV-1a, the low 16 bits of each unit at a time. */
function hashBefore(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let place = at - WINDOW; place < at; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
