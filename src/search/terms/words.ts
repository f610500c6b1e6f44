import { foldHan } from "./han.ts";
import { fold, GAP, HAN, letterClass, PLAIN } from "./letters.ts";
import type { SearchToken } from "./written-word.ts";
import { isPlainWord, readWrittenWord } from "./written-word.ts";

/** Longer terms are cut: nobody asks for more, and the index stays small. */
const TERM_CHARACTERS = 64;

/** The terms of a text, as indexed. O(n): about 0.1 µs a word of plain letters. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scan(text, (token) => terms.push(token.term));
  return terms;
}

/** The tokens of a text, places ascending. */
export function tokensOf(text: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  scan(text, (token) => tokens.push(token));
  return tokens;
}

/** True if the text holds the words exactly so: small, one space apart. False proves nothing. */
export function holdsPlainly(text: string, words: string): boolean {
  const at = text.indexOf(words);
  if (at < 0) return false;
  return isGap(text, at - 1) && isGap(text, at + words.length);
}

function isGap(text: string, at: number): boolean {
  return at < 0 || letterClass(text, at) === GAP;
}

type Emit = (token: SearchToken) => void;

function scan(text: string, emit: Emit): void {
  let at = 0;
  let place = 0;
  while (at < text.length) {
    const kind = letterClass(text, at);
    if (kind < HAN) {
      at += 1;
      continue;
    }
    let to = at + 1;
    let next = letterClass(text, to);
    let seen = kind; // becomes LETTER if one of the letters is not plain
    while (kind < PLAIN ? next === kind : next >= PLAIN) {
      seen |= next;
      to += 1;
      next = letterClass(text, to);
    }
    if (kind < PLAIN) {
      const spell = kind === HAN ? emitPairs : emitSegments;
      place = spell(text.slice(at, to), { from: at, place }, emit);
    } else if (next === GAP || isPlainWord(text, at, to)) {
      // Nine of ten words are plain, and folding those is making them small.
      const word = text.slice(at, Math.min(to, at + TERM_CHARACTERS));
      const term = seen === PLAIN ? word.toLowerCase() : fold(word);
      emit({ term, from: at, to, place, kind: "word" });
      if (seen !== PLAIN)
        for (const bare of bareForms(term))
          emit({ term: derivedTerm(bare), from: at, to, place, kind: "tail" });
      place += 1;
    } else {
      const word = readWrittenWord(text, at);
      for (const { term, from, to: end, place: step, kind: spelt } of word.spellings) {
        emit({ term: term.slice(0, TERM_CHARACTERS), from, to: end, place: place + step, kind: spelt });
      }
      place += word.places;
      to = word.to;
    }
    at = to;
  }
}

/** Where a run begins, in units and in places. */
interface Start {
  from: number;
  place: number;
}

function emitPairs(run: string, { from, place }: Start, emit: Emit): number {
  const folded = run.normalize("NFKC");
  const exact = folded.length === run.length; // else (half-width kana) each pair is given the whole run
  const characters = Array.from(folded, foldHan);
  let at = from;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    const term = character + (next ?? "");
    const ends = exact ? { from: at, to: at + term.length } : { from, to: from + run.length };
    emit({ term, ...ends, place: place + index, kind: next === undefined ? "single" : "pair" });
    at += character.length;
  }
  return place + characters.length;
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

function emitSegments(run: string, { from, place }: Start, emit: Emit): number {
  let next = place;
  for (const { segment, index, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue;
    const start = from + index;
    const term = fold(segment).slice(0, TERM_CHARACTERS);
    emit({ term, from: start, to: start + segment.length, place: next, kind: "word" });
    next += 1;
  }
  return next;
}

/** Stands before a term that is a word without what is written onto it: the word itself ranks above it. */
const DERIVED = "\u0001";

/** Arabic's article, with what may be written onto it: الكتاب, والكتاب, للكتاب. */
const ARABIC = /^[وف]?(?:[بلك]?ال|لل)(?=.{2})/u;
/** Hebrew's article and prepositions, one or two of them: המלך, שבבית. */
const HEBREW = [/^[הובלכמש](?=\p{Script=Hebrew}{3})/u, /^[ושכמלב][הבלכמש](?=\p{Script=Hebrew}{3})/u];
const MAY_CARRY = /^[\u05d0-\u05ea\u0621-\u064a]/;

/** What a folded word may be without the article and the prepositions that Arabic and Hebrew write onto it. */
export function bareForms(term: string): string[] {
  if (!MAY_CARRY.test(term)) return [];
  return [ARABIC, ...HEBREW].flatMap((onto) => {
    const bare = term.replace(onto, "");
    return bare === term ? [] : [bare];
  });
}

/** The term under which a passage is indexed for a bare form that does not stand in it so. */
function derivedTerm(bare: string): string {
  return DERIVED + bare;
}

/** The terms by which a word is found that is written with other prefixes, or without any. */
export function derivedTermsOf(term: string): string[] {
  const bare = bareForms(term);
  return [derivedTerm(term), ...bare, ...bare.map(derivedTerm)];
}
