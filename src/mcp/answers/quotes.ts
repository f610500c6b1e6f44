/** The text with each curly quote and apostrophe as a straight one: every other character stays at its place. */
export function straightened(text: string): string {
  return text.replace(/[“”„‟]/g, '"').replace(/[‘’‚‛]/g, "'");
}

const DOUBLE = { straight: '"', curly: /[“”„‟]/, low: "„", open: "“", close: "”" } as const;
const SINGLE = { straight: "'", curly: /[‘’‚‛]/, low: "‚", open: "‘", close: "’" } as const;
type Kind = typeof DOUBLE | typeof SINGLE;

/** Code, HTML tags and link targets, whose quotes are no typography. */
const VERBATIM = /(`+[^`]*`+|<[^<>]*>|\]\([^()]*\))/;

/** A text with its quotes as a paragraph writes them; `before` is what it is put behind. */
export function quotedAs(text: string, paragraph: string, before: string): string {
  const kinds = [DOUBLE, SINGLE].filter((kind) => isCurlyIn(paragraph, kind) !== undefined);
  let done = before;
  for (const [at, piece] of text.split(VERBATIM).entries()) {
    const characters = at % 2 === 1 ? [piece] : [...piece];
    for (const [place, one] of characters.entries()) {
      const kind = kinds.find(({ straight, curly }) => one === straight || curly.test(one));
      if (kind === undefined || one.length > 1) done += one;
      else if (!isCurlyIn(paragraph, kind)) done += kind.straight;
      else
        done += one === kind.straight ? curled(kind, done, { paragraph, next: characters[place + 1] }) : one;
    }
  }
  return done.slice(before.length);
}

/** Whether a paragraph's quotes of a kind are curly, as the other kind's are if it has none; undefined if it has both. */
function isCurlyIn(paragraph: string, kind: Kind): boolean | undefined {
  const kinds = kind === DOUBLE ? [DOUBLE, SINGLE] : [SINGLE, DOUBLE];
  for (const { straight, curly } of kinds) {
    const [hasStraight, hasCurly] = [paragraph.includes(straight), curly.test(paragraph)];
    if (hasStraight && hasCurly) return undefined;
    if (hasStraight || hasCurly) return hasCurly;
  }
  return undefined;
}

/** The curly quote for a straight one behind this text. */
function curled(
  { straight, low, open, close }: Kind,
  before: string,
  { paragraph, next = "" }: { paragraph: string; next: string | undefined },
): string {
  const isLow = paragraph.includes(low);
  // Where single quotes are apostrophes alone, none opens.
  const mayOpen = straight === '"' || isLow || paragraph.includes(open);
  const opens = mayOpen && /^(?:|[\s([{—–“‘„‚*_])$/.test(before.slice(-1)) && !/^\s/.test(next);
  const [opening, closing] = isLow ? [low, open] : [open, close];
  return opens ? opening : closing;
}
