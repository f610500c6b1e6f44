import { oneOf } from "../../text/keyed-rules.ts";
import type { Mark, MarkedText } from "./finding.ts";

/** Verbs that call attention to themselves where "said" would do. */
const SHOWY = oneOf(`
  exclaimed ejaculated retorted opined averred asserted avowed avouched proclaimed intoned interjected interposed
  expostulated remonstrated rejoined declared affirmed vociferated growled snarled hissed barked snapped roared thundered
  bellowed boomed shrieked screeched wailed moaned groaned whined whimpered sobbed croaked crooned cooed purred drawled spat
  rasped grated breathed gushed simpered cackled crowed chortled queried quizzed quoth volunteered chimed chirped commanded
  demanded implored entreated besought pleaded protested conceded acknowledged surmised mused pondered pronounced grumbled
  grunted sneered stormed fumed raged trilled twittered squeaked squealed spluttered sputtered stammered stuttered faltered
  blurted panted gulped yelped bawled hollered persisted philosophized moralized gibed scoffed jeered taunted`);
/** Deeds by which nobody can speak. */
const MUTE = oneOf(
  "smiled grinned laughed chuckled giggled nodded shrugged frowned gasped sighed winced grimaced beamed snorted sniffed shuddered glared scowled smirked",
);
const PLAIN = oneOf(
  "said asked answered replied whispered shouted cried called murmured muttered told added continued repeated inquired enquired returned observed remarked explained agreed began",
);
const NAME =
  "(?:I|he|she|they|we|[A-Z][\\w.’'-]*(?: [A-Z][\\w.’'-]*)*|(?:the|his|her|my|an?|another|one of the) (?:[a-z-]+ )?[a-z-]+)";
const VERB = `(?<verb>${SHOWY}|${MUTE}|${PLAIN})`;
const ADVERB =
  "(?: (?<adverb>(?!only\\b|early\\b|presently\\b|finally\\b|merely\\b|hardly\\b|nearly\\b|shortly\\b|simply\\b|suddenly\\b|immediately\\b|directly\\b|instantly\\b|apply\\b|family\\b)[a-z]+ly)\\b)?";
/** A tag ends there; "acknowledged the truth" is none. */
const END =
  "(?=\\s*[.,;:!?—–]|\\s*$| (?:as|and|with|in|to|at|from|through|between|under|over|after|while|when|again)\\b)";
/** The verb before its subject, or behind it: "exclaimed Edith softly", "Edith softly exclaimed", "Edith exclaimed softly". */
const BEHIND = [
  new RegExp(`^\\s*${VERB}${ADVERB.replace("<adverb>", "<early>")} (?:${NAME})${ADVERB}${END}`, "d"),
  new RegExp(`^\\s*(?:${NAME})${ADVERB.replace("<adverb>", "<early>")} ${VERB}${ADVERB}${END}`, "d"),
];
/** A tag before the speech: "Edith said softly, “…”". */
const BEFORE = new RegExp(
  `(?:^|[.!?;] )[“"]?(?:${NAME})${ADVERB.replace("<adverb>", "<early>")} ${VERB}${ADVERB}(?: to ${NAME})?[,:]\\s*$`,
  "d",
);
const MUTES = new RegExp(`^${MUTE}$`);
const SHOWS = new RegExp(`^${SHOWY}$`);

/** Marks of the words that say who speaks: showy verbs, deeds that are no speech, adverbs. */
export function marksOfTags({ text, isQuoted }: MarkedText): Mark[] {
  const marks: Mark[] = [];
  for (let from = 0; from < isQuoted.length; ) {
    let to = from;
    while (to < text.length && isQuoted[to] === isQuoted[from]) to++;
    if (isQuoted[from] !== 1) {
      const said = text.slice(from, to);
      const after = from > 0 ? behind(said, text[from - 2] === ".") : null;
      const isComma = after === null || text[from - 2] === ",";
      const match = after ?? (to < text.length ? BEFORE.exec(said) : null);
      if (match !== null) pushTag(marks, match, { from, isComma });
    }
    from = to;
  }
  return marks;
}

/** Behind a full stop "She exclaimed" begins something else. */
function behind(said: string, isStopped: boolean): RegExpExecArray | null {
  for (const pattern of isStopped ? BEHIND.slice(0, 1) : BEHIND) {
    const match = pattern.exec(said);
    if (match !== null) return match;
  }
  return null;
}

function pushTag(
  marks: Mark[],
  match: RegExpExecArray,
  { from, isComma }: { from: number; isComma: boolean },
): void {
  const { groups = {}, indices } = match;
  const push = (kind: "tag" | "tag_adverb", name: string) => {
    const place = indices?.groups?.[name];
    if (place !== undefined)
      marks.push({ kind, word: groups[name] ?? "", from: from + place[0], to: from + place[1] });
  };
  const verb = groups.verb ?? "";
  const isMute = MUTES.test(verb);
  if (isMute && !isComma) return; // a beat, not a tag
  if (isMute || SHOWS.test(verb)) push("tag", "verb");
  push("tag_adverb", "early");
  push("tag_adverb", "adverb");
}
