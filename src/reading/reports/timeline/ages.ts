import { BIRTHDAY, NUMBER, numberOf, ordinalOf, writtenAges } from "../../text/numbers.ts";
import type { TimeMark } from "./time-marks.ts";

/** "aged nine", "thirty years of age", "his fortieth birthday", "I am forty-seven years old". */
const SAID_OUTRIGHT = new RegExp(
  `\\b(?:(?:aged|the age of) (?<age>${NUMBER})\\b(?! (?:and|to)\\b)|(?<age2>${NUMBER})(?: years old| years of age|-year-old)\\b|(?:his|her|my|their|whose|['’]s) (?<birthday>${BIRTHDAY}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth) birthday)\\b`,
  "giu",
);
/** Before a bare "was forty": a name, not "The" or "It". */
const NAME =
  /(?<!\p{L})(?!(?:The|That|This|There|It|What|Which|Nothing|All|Each|One|Both)\b)\p{Lu}[\p{L}\p{M}'’.-]+$/u;
/** The shortest span of an age that could be anything else: "She was one." */
const TOO_YOUNG = 1;

/** Nobody has an age without a number that nothing is counted by. */
export const AGE_NUMBERS =
  /(?:\b\d{1,3}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|teen|ty)(?=[.,;!?…—”"]|$|[- ]years?\b| (?:and|on|in|next|come|last|with|when|who|but|if|then|now|that)\b)|ties\b|birthday|\baged\b|\bage of\b/i;

/** The ages that a text tells of people, in order of place. English. */
export function agesTold(text: string): TimeMark[] {
  const found: TimeMark[] = [];
  if (!AGE_NUMBERS.test(text)) return found;
  const push = (from: number, to: number, years: number) => {
    if (found.every((mark) => to <= mark.from || mark.to <= from))
      found.push({ from, to, said: { kind: "age", years }, stays: true });
  };
  for (const { groups = {}, index, 0: written } of text.matchAll(SAID_OUTRIGHT)) {
    const years =
      groups.birthday === undefined ? numberOf(groups.age ?? groups.age2 ?? "") : ordinalOf(groups.birthday);
    if (years !== undefined) push(index, index + written.length, years);
  }
  for (const { subject, years, from, to } of writtenAges(text)) {
    const isSomebodys = subject !== "" || NAME.test(text.slice(Math.max(0, from - 24), from));
    if (!isSomebodys || years <= TOO_YOUNG) continue;
    const blank = text.slice(from, to).search(/[^\s,]/);
    push(from + Math.max(0, blank), to, years);
  }
  return found.sort((one, other) => one.from - other.from);
}
