import { foldAccents } from "../../text/fold.ts";
import { foldHan } from "./han.ts";

/**
 * One indexed term and where it is: `from` and `to` in UTF-16 units, `place` its ordinal in the text.
 * Terms of one place are spellings of one word: "d’Artagnan" is dartagnan and its tail artagnan; "to-day" is the
 * joined today, then to and day. A run of Han or kana is its overlapping pairs and its last character as a single.
 */
export interface SearchToken {
  term: string;
  from: number;
  to: number;
  place: number;
  kind: "word" | "tail" | "joined" | "pair" | "single";
}

/** What is written without a gap, as tokens counted from its own beginning, and the places that it takes. */
interface Spelled {
  tokens: SearchToken[];
  places: number;
}

/** Longer terms are cut: nobody asks for more, and the index stays small. */
const TERM_CHARACTERS = 64;

// Han and kana are written without spaces and indexed by pairs; Thai, Lao, Khmer and Burmese by dictionary.
const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\u{ff70}\u{ff9e}\u{ff9f}`;
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
// Soft hyphens and joiners (U+00AD, U+200B to U+200D, U+2060) stand inside words and are folded away.
const LETTER = String.raw`[[\p{L}\p{N}\p{M}\u{ad}\u{200b}-\u{200d}\u{2060}]--[${HAN}${UNSPACED}]]`;
const THOUSANDS = String.raw`\p{N}{1,3}(?:,\p{N}{3})+(?!\p{N})`;
const INITIAL = String.raw`[\p{L}--[${HAN}${UNSPACED}]]`;
const INITIALS = String.raw`${INITIAL}\.${INITIAL}(?:\.${INITIAL})*(?![\p{L}\p{M}\p{N}])\.?`;
/** Groups: Han, unspaced, initials or thousands; else a word, with its apostrophes and hyphens. */
const WRITTEN = new RegExp(
  String.raw`([${HAN}]+)|([${UNSPACED}]+)|(${THOUSANDS}|${INITIALS})|${LETTER}+(?:['’‘＇\`´\-‐‑]${LETTER}+)*`,
  "gv",
);
const PLAIN = /^[a-z0-9]+$/i;
const ASCII = /^[\x00-\x7f]*$/;
const HYPHEN = /[-‐‑]/;
const APOSTROPHES = /['’‘＇`´]/g;
const LAST_APOSTROPHE = /['’‘＇`´](?=[^'’‘＇`´]*$)/;

/** Elisions of more than two letters, in Italian and French. */
const ELISIONS = new Set(
  "all coll dall dell nell sull agl dagl degl negl sugl quell quest bell buon sant cent mezz tutt quand anch nient nessun ciascun qualcun alcun dov com cos lorsqu puisqu jusqu quoiqu presqu quelqu entr grand".split(
    " ",
  ),
);
const CONTRACTIONS = new Set(["s", "ll", "re", "ve", "d", "m"]);
/** More parts are a list, not a word: "to-and-fro" is joined, "one-by-one-by-one" is not. */
const JOINED_PARTS = 4;

/** The terms of a text, as indexed. */
export function termsOf(text: string): string[] {
  return tokensOf(text).map(({ term }) => term);
}

/** The tokens of a text, places ascending. O(n): about 0.3 µs a word. */
export function tokensOf(text: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  let place = 0;
  for (const match of text.matchAll(WRITTEN)) {
    const from = match.index;
    const [written] = match;
    if (PLAIN.test(written)) {
      // Nine of ten words are plain, and folding those is making them small.
      const term = written.slice(0, TERM_CHARACTERS).toLowerCase();
      tokens.push({ term, from, to: from + written.length, place, kind: "word" });
      place += 1;
      continue;
    }
    const spelled = spell(match);
    for (const token of spelled.tokens)
      tokens.push({
        term: token.term.slice(0, TERM_CHARACTERS),
        from: from + token.from,
        to: from + token.to,
        place: place + token.place,
        kind: token.kind,
      });
    place += spelled.places;
  }
  return tokens;
}

/** True if the text holds the words exactly so: small, one space apart. False proves nothing. */
export function holdsPlainly(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

function spell([written, han, unspaced, joined]: RegExpExecArray): Spelled {
  if (han !== undefined) return pairs(written);
  if (unspaced !== undefined) return segments(written);
  if (joined === undefined) return spellings(written);
  const term = fold(joined.replace(/[.,]/g, ""));
  return { tokens: [{ term, from: 0, to: written.length, place: 0, kind: "word" }], places: 1 };
}

/** A word with apostrophes, hyphens or accents. Possessives and contractions end at their apostrophe. */
function spellings(written: string): Spelled {
  const parts = written.split(HYPHEN);
  const terms = parts.map(partTerm);
  const tokens: SearchToken[] = [];
  if (parts.length > 1 && parts.length <= JOINED_PARTS)
    tokens.push({ term: terms.join(""), from: 0, to: written.length, place: 0, kind: "joined" });
  let from = 0;
  for (const [place, part] of parts.entries()) {
    const to = from + part.length;
    const term = terms[place]!; // as many of both
    if (term !== "") tokens.push({ term, from, to, place, kind: "word" });
    const tail = tailStart(part);
    if (tail > 0) tokens.push({ term: fold(part.slice(tail)), from: from + tail, to, place, kind: "tail" });
    else
      for (const bare of bareForms(term))
        tokens.push({ term: derivedTerm(bare), from, to, place, kind: "tail" });
    from = to + 1;
  }
  return { tokens, places: parts.length };
}

function partTerm(part: string): string {
  const apostrophe = part.search(LAST_APOSTROPHE);
  const isContracted = apostrophe >= 0 && CONTRACTIONS.has(fold(part.slice(apostrophe + 1)));
  return fold((isContracted ? part.slice(0, apostrophe) : part).replace(APOSTROPHES, ""));
}

/** Where the word after an elision begins (amour of l’amour, brien of O’Brien, acqua of nell’acqua); 0 for none. */
function tailStart(part: string): number {
  const apostrophe = part.search(LAST_APOSTROPHE);
  if (apostrophe < 0 || part.length - apostrophe < 4) return 0;
  const isElided = apostrophe <= 2 || ELISIONS.has(fold(part.slice(0, apostrophe)));
  return isElided ? apostrophe + 1 : 0;
}

function pairs(run: string): Spelled {
  const folded = run.normalize("NFKC");
  const isExact = folded.length === run.length; // else (half-width kana) each pair is given the whole run
  const characters = Array.from(folded, foldHan);
  let at = 0;
  const tokens = characters.map((character, place): SearchToken => {
    const next = characters[place + 1];
    const term = character + (next ?? "");
    const stretch = isExact ? { from: at, to: at + term.length } : { from: 0, to: run.length };
    at += character.length;
    return { term, ...stretch, place, kind: next === undefined ? "single" : "pair" };
  });
  return { tokens, places: characters.length };
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

function segments(run: string): Spelled {
  const words = [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike);
  const tokens = words.map(({ segment, index }, place): SearchToken => {
    return { term: fold(segment), from: index, to: index + segment.length, place, kind: "word" };
  });
  return { tokens, places: words.length };
}

/** A word as it is indexed: "Brontë" and "BRONTE" are "bronte", "Straße" is "strasse", "ﬁnal" is "final". */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : foldAccents(lower);
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
