import { personOf, sentenceStart, speechTag } from "../../../reading/owners.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import {
  type Evidence,
  evidenceAt,
  type Found,
  mayHold,
  type ProsePassage,
  type Rule,
  type Shelf,
} from "./passages.ts";
import { hasReason, isElsewhen, isUnreal } from "./reasons.ts";

/** A death as the prose tells it. */
interface Death {
  fact: ReadingFact;
  passage: ProsePassage;
  evidence: Evidence;
}

/** The source of a regular expression written on several lines; a line's end and the indentation of the next do not count. */
const pattern = (text: TemplateStringsArray) => String.raw(text).replace(/\n\s*/g, "");

/** Words of which every such phrase has one. */
const DEATHLY = new RegExp(
  pattern`
    \b(?:died|drowned|perished|passed away|breathed|dead|killed|murdered|hanged|beheaded|executed
    |stabbed|strangled|poisoned|shot|buried|death|funeral|burial|murder|corpse|grave|graveside|coffin
    |widow|widower|[Tt]he late|lost at sea|with all hands|(?:his|her) (?:own )?(?:life|neck|end)
    |lived? to see|survive|laid to rest)\b
  `,
);
/** Sentences that claim nothing: wishes, fears, rumours, plans, questions and comparisons. */
const UNCLAIMED = new RegExp(
  pattern`
    \b(?:is|if|would|could|should|might|may|must|shall|will|thought|think|believed|feared|wished|dreamt
    |dreamed|imagined|supposed|pretend(?:ed)?|as though|almost|nearly|half|not|never|nobody|no one
    |before|until|till|unless|perhaps|rumou?r|whether|wondered|seemed|said|told|heard|asked|expected
    |like|twice|hoped|in case)\b
  `,
  "i",
);
/** Settings in which the dead may speak. */
const RETURNS =
  /\b(?:ghost|dream(?:t|ed)?|spirit|memory|remember(?:ed|ing)?|recall(?:ed|ing)?|letter|diary|used to|had (?:once |often |always )?(?:said|told|asked|answered|cried|replied)|once|years (?:ago|before|earlier)|in those days|voice|photograph|portrait|would (?:say|have said)|alive|not dead)\b/i;

/**
 * People who speak behind the passage in which the prose has them die. Only deaths told outside quotation marks
 * count, only names that are one person's, and no chapter that remembers, dreams or goes back.
 */
export const dead: Rule = { reads: DEATHLY, find: findDead };

function findDead(shelf: Shelf, passages: readonly ProsePassage[]): Found[] {
  const deaths = new Map<string, Death>();
  for (const passage of passages) {
    for (const death of deathsIn(shelf, passage))
      if (!deaths.has(death.fact.id)) deaths.set(death.fact.id, death);
  }
  return [...deaths.values()].flatMap((death) => speechAfter(shelf, death) ?? []);
}

function deathsIn(shelf: Shelf, passage: ProsePassage): Death[] {
  if (isUnreal(passage)) return [];
  const { text } = passage;
  const quoted = shelf.quoted(passage);
  return shelf.statements(passage).flatMap(({ fact, attribute, from, to }): Death[] => {
    if (attribute !== "death" || quoted[from] === 1 || !isClaimed(text, from, to)) return [];
    const start = sentenceStart(text, from);
    const name = shelf
      .named(passage)
      .findLast((span) => span.from >= start && span.from <= to && personOf(span) === fact);
    const whole = [Math.min(from, name?.from ?? start), Math.max(to, name?.to ?? to)] as const;
    return [{ fact, passage, evidence: evidenceAt(passage, ...whole) }];
  });
}

/** A chapter that goes back says so in its first paragraphs. */
const OPENING = 3;

/** The first words that the dead one says behind it; a chapter that tells of a death long past goes back itself. */
function speechAfter(shelf: Shelf, { fact, passage: died, evidence }: Death): Found | undefined {
  const keys = [fact.name, ...fact.aliases].flatMap(
    (name) => name.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [],
  );
  const from = died.chapter + (/\bhad\b/.test(evidence.text) ? 1 : 0);
  for (const [chapter, chapterId] of shelf.chapterIds.entries()) {
    const tally = chapter < from ? undefined : shelf.statistics.chapters.get(chapterId)?.tally;
    if (!keys.some((key) => tally?.capitalOf(key) !== undefined)) continue;
    const passages = shelf.passages(chapter);
    if (chapter > died.chapter && passages.slice(0, OPENING).some(isElsewhen)) continue;
    for (const passage of passages) {
      if (chapter === died.chapter && passage.block <= died.block) continue;
      if (!keys.some((key) => mayHold(passage, key))) continue;
      const isLater = chapter > died.chapter;
      const sign = speechIn(shelf, passage, fact) ?? (isLater ? actIn(shelf, passage, fact) : undefined);
      if (sign === undefined) continue;
      if (hasReason(passage, sign, "life", died.blockId)) continue;
      return {
        type: "contradiction",
        severity: "warn",
        message: `“${sign.text}”, but “${evidence.text}” stands before that.`,
        factId: fact.id,
        evidence: [evidence, sign],
        suggestion: null,
        confidence: 0.6,
        claim: ["dead", evidence.text],
      };
    }
  }
  return undefined;
}

/** Acts of the living alone, behind a name. */
const ACTS = new RegExp(
  pattern`
    ^(?: (?:slowly|quietly|suddenly|only|merely|then|just|also))? (?:nodded|shrugged|smiled|laughed
    |grinned|frowned|sighed|winked|shook (?:his|her) head|poured|lit|walked (?:in|out|up|over|across
    |to)|ran (?:in|out|up|over|across|to)|came (?:in|out|down|up|over|into|back|to)|went (?:in|out
    |down|up|over|into|back|to)|sat (?:down|back|by|at|in|on|up)|stood (?:up|by|at|in|on)|got up|rose
    |opened|closed|shut|picked up|put (?:down|on|out|up|the|his|her)|took (?:off|up|out|the|another|a
    |his hat|her hat)|turned (?:round|to|away|and)|looked (?:at|up|round|down|over|out)|asked|told
    |replied|answered|spoke|handed|pushed|pulled|leaned|leant|knelt|climbed|stepped|drank|ate|knocked
    |waved|coughed|yawned|hurried|arrived|whistled|scratched|wiped|folded|tapped|lifted|raised|dropped
    |pointed|listened|glanced|stared|turned|cleared|bent|blew|threw|held (?:up|out)|was (?:waiting
    |sitting|standing|reading|knitting|smoking|talking|writing|laughing|cooking|washing|sewing
    |in the kitchen))(?![\p{L}’'])
  `,
  "u",
);
/** Words that bring the dead back, in the passage of an act. */
const LOOKS_BACK =
  /\b(?:ghost|dream(?:t|ed|s|ing)?|memory|memories|remember(?:ed|ing|s)?|recall(?:ed|ing|s)?|used to|years (?:ago|before|earlier)|in those days|portrait|photograph|would (?:say|have)|alive|not dead|vision)\b/i;
/** Words for other times, in the sentence of an act. */
const BACK =
  /\b(?:had|when|whenever|always|never|as if|as though|if|like|where|grave|tomb|statue|story|saw (?:him|her) again)\b/i;

/** Finds an act of the dead person in a sentence of prose that begins with the name. */
function actIn(shelf: Shelf, passage: ProsePassage, fact: ReadingFact): Evidence | undefined {
  const { text } = passage;
  if (LOOKS_BACK.test(text)) return undefined;
  const quoted = shelf.quoted(passage);
  for (const span of shelf.named(passage)) {
    if (personOf(span) !== fact || quoted[span.from] === 1 || quoted[span.to] === 1) continue;
    const act = ACTS.exec(text.slice(span.to));
    const start = sentenceStart(text, span.from);
    const isStart = /^(?:(?:And|But|Then|So|Later|Old|Young|Presently),? )?$/.test(
      text.slice(start, span.from),
    );
    const sentence = text.slice(start, span.to) + (/^[^.!?…]*/.exec(text.slice(span.to))?.[0] ?? "");
    if (act !== null && isStart && !BACK.test(sentence))
      return evidenceAt(passage, span.from, span.to + act[0].length);
  }
  return undefined;
}

/** `said Mara` or `Mara said` next to a quotation, if nothing says that it is remembered. */
function speechIn(shelf: Shelf, passage: ProsePassage, fact: ReadingFact): Evidence | undefined {
  const { text } = passage;
  if (!/[“"‘]/.test(text) || RETURNS.test(text)) return undefined;
  const quoted = shelf.quoted(passage);
  for (const span of shelf.named(passage)) {
    if (personOf(span) !== fact || quoted[span.from] === 1) continue;
    const tag = speechTag(text, span);
    if (tag !== undefined) return evidenceAt(passage, ...tag);
  }
  return undefined;
}

/** True if nothing in the sentence, up to the death, makes it a fear, a wish, hearsay or a question. */
function isClaimed(text: string, from: number, to: number): boolean {
  const start = sentenceStart(text, from);
  const mark = text.slice(to).search(/[.!?…]/);
  const claim = text
    .slice(start, to)
    .replace(/\b(?:did not|didn['’]t|never) (?:live|survive)|\b(?:May|Will)\b(?= \p{Lu})/gu, "");
  if (/(?:^|[;,—“"] ?)[Hh]ad \p{Lu}/u.test(claim)) return false; // "had Mara died, we should have known"
  return !UNCLAIMED.test(claim) && (mark < 0 || text[to + mark] !== "?");
}
