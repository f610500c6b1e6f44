import { NUMBER, numberOf, writtenAges } from "../../../reading/numbers.ts";
import { type RelevantPassage, type Shelf, sentenceStart } from "./passages.ts";
import { type Owner, ownerMeant, ownerNamed } from "./pronouns.ts";

/** Somebody's age in the prose. */
export interface Age {
  years: number;
  /** Years by which the age may differ: a birthday, or "about". */
  tolerance: number;
  owner: Owner;
  passage: RelevantPassage;
  from: number;
  to: number;
}

/** Words before an age, or right behind it, that move it to another time or deny it. */
const ELSEWHEN =
  /\b(?:since|until|till|if(?! (?:he|she) (?:was|were) a day)|whether|before|after|by the time|as though|remember(?:ed)?|used to|in (?:1[5-9]|20)\d\d|when (?:he|she|I|they|we|\p{Lu}\w+) (?:was|were)|years? (?:ago|earlier|before|later))\b/u;
const BEHIND = 24;

/** The ages in a cast's attribute: [52, 53] of "52, turning 53". */
export function agesOf(value: string): number[] {
  return (value.match(new RegExp(`\\b${NUMBER}\\b`, "gi")) ?? []).flatMap((text) => numberOf(text) ?? []);
}

/** The ages that people of the cast have in a passage, at the time that it tells of. English. */
export function agesIn(shelf: Shelf, passage: RelevantPassage): Age[] {
  const { text } = passage;
  const found: Age[] = [];
  for (const { subject, years, tolerance, from, to } of writtenAges(text)) {
    const owner = ownerOf(shelf, passage, { subject, from, to });
    if (owner === undefined || ELSEWHEN.test(sentenceUpTo(text, from, to))) continue;
    // People are wrong about ages, and lie about their own.
    if (shelf.quoted(passage)[from] === 1 || /["“]/u.test(text[from] ?? "")) continue;
    const span =
      subject === "" ? { from: Math.min(from, owner.from), to: Math.max(to, owner.to) } : { from, to };
    found.push({ years, tolerance, owner, passage, ...span });
  }
  return found;
}

function ownerOf(
  shelf: Shelf,
  passage: RelevantPassage,
  { subject, from, to }: { subject: string; from: number; to: number },
): Owner | undefined {
  if (subject !== "") return ownerMeant(shelf, passage, from, /^he$/i.test(subject) ? "male" : "female");
  const named = ownerNamed(shelf, passage, from);
  if (named !== undefined) return named;
  const next = shelf.named(passage).find((span) => span.from === to);
  return next === undefined || /[^ ]$/.test(passage.text.slice(from, to))
    ? undefined
    : ownerNamed(shelf, passage, next.to);
}

/** From the sentence's beginning to a little behind the span, or to its end. */
function sentenceUpTo(text: string, at: number, to: number): string {
  const start = sentenceStart(text, at);
  const end = text.slice(to, to + BEHIND).search(/[.!?…]/);
  return text.slice(start, end < 0 ? to + BEHIND : to + end);
}
