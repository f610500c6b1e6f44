/** How often words stand in a text, and where the first of them do. */
export interface FoundWords {
  count: number;
  from: number;
  to: number;
}

/** Where words stand in a text: as they are written; else with other blanks between them, as where a line ends. */
export function findOnce(text: string, words: string): FoundWords {
  const wanted = words.trim() === "" ? "" : words;
  if (wanted === "") return { count: 0, from: 0, to: 0 };
  const from = text.indexOf(wanted);
  if (from >= 0) {
    let count = 1;
    for (let at = text.indexOf(wanted, from + 1); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
    return { count, from, to: from + wanted.length };
  }
  const pieces = wanted
    .trim()
    .split(/\s+/)
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
  const found = [...text.matchAll(new RegExp(pieces.join("\\s+"), "g"))];
  const [first] = found;
  if (first === undefined) return { count: 0, from: 0, to: 0 };
  return { count: found.length, from: first.index, to: first.index + first[0].length };
}

/** The text that holds most of these words; undefined if none holds half of them. */
export function nearestTo<Item>(
  words: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): Item | undefined {
  const wanted = wordsIn(words);
  let best: Item | undefined;
  let most = Math.max(1, wanted.size / 2) - Number.EPSILON;
  for (const item of items) {
    const own = wordsIn(textOf(item));
    const shared = [...wanted].filter((word) => own.has(word)).length;
    if (shared <= most) continue;
    best = item;
    most = shared;
  }
  return best;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
