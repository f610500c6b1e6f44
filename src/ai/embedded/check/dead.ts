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

const DIED = pattern`
  (?:had )?(?:died|drowned|perished|passed away|breathed (?:his|her|their) last|lost (?:his|her) life
  |met (?:his|her) (?:death|end)|(?:broke|broken) (?:his|her) neck|taken (?:his|her) own life
  |took (?:his|her) own life|(?:hanged|drowned|shot|poisoned) (?:himself|herself)|(?:did not|didn['’]t
  |never) lived? to see|(?:did not|didn['’]t) survive)\b(?! (?:of (?:shame|laughter|laughing|boredom
  |embarrassment)|laughing|crying|a (?:little|thousand)|away|down|his|her))
`;
const WAS_DEAD = pattern`
  (?:had been dead (?=(?:for|since|these|nearly|almost|about|some|many|a|[a-z]+(?:-[a-z]+)?|\d+)\b)
  |(?:was|lay|fell) (?:stone )?dead\b(?! (?:tired|asleep|drunk|certain|sure|set|against|to|on|calm
  |keen|level|ahead|beat|straight|serious|still|right|wrong))|(?:was|had been|lay) (?:in (?:his
  |her) (?:grave|coffin)|laid to rest))
`;
const WAS_KILLED = pattern`
  (?:was|were|had been) (?:killed|drowned|murdered|hanged|beheaded|executed|stabbed to death|strangled
  |poisoned|buried|shot dead|found (?:dead|drowned|hanged|murdered)|laid to rest|lost (?:at sea
  |with all hands))\b(?! (?:in|under|beneath) (?:work|papers|thought|a book|his|her|the (?:papers|work
  |blankets)))
`;
/** Behind the name: "Mara died", "Mara had a stroke and was dead". */
const DIES = new RegExp(
  `^(?:,? who)?(?: [a-z][^.,;:!?“”"]{0,60}? and)? (?:${DIED}|${WAS_DEAD}|${WAS_KILLED})`,
);
/** "the death of Mara", "they buried Mara", "Mara’s funeral". */
const DEATH_OF =
  /\b(?:the (?:death|funeral|burial|murder|corpse|dead body|grave|widow|widower) of|[Tt]he late|(?:had )?buried|killed|murdered|hanged) $/;
const OF_DEATH =
  /^['’]s? (?:(?:sudden |early |untimely )?death|funeral|burial|murder|corpse|dead body|grave|graveside|widow|widower|heart (?:had )?stopped)\b/;
/** Words of which every such phrase has one. */
const DEATHLY = new RegExp(
  pattern`
    \b(?:died|drowned|perished|passed away|breathed|dead|killed|murdered|hanged|beheaded|executed
    |stabbed|strangled|poisoned|shot|buried|death|funeral|burial|murder|corpse|grave|graveside|coffin
    |widow|widower|[Tt]he late|lost at sea|with all hands|(?:his|her) (?:own )?(?:life|neck|end)
    |lived? to see|survive|laid to rest|heart (?:had )?stopped)\b
  `,
);
/** Sentences that claim nothing: wishes, fears, rumours, plans, questions and comparisons. */
const UNCLAIMED = new RegExp(
  pattern`
    \b(?:if|would|could|should|might|may|must|shall|will|thought|think|believed|feared|wished|dreamt
    |dreamed|imagined|supposed|pretend(?:ed)?|as though|almost|nearly|half|not|never|nobody|no one
    |before|until|till|unless|perhaps|rumou?r|whether|wondered|seemed|said|told|heard|asked|expected
    |like|twice|hoped|in case)\b
  `,
  "i",
);
/** A name without a title: "the late Mr. Quill" may be the father. */
const FULL_NAME = /^(?!(?:Mrs?|Miss|Ms|Dr|Sir|Lady|Lord|Captain|Colonel)\b)\p{L}+ .*\p{L}/u;
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
  return shelf.named(passage).flatMap((span): Death[] => {
    const fact = personOf(span);
    if (fact === undefined || quoted[span.from] === 1) return [];
    const told = DIES.exec(text.slice(span.to)) ?? OF_DEATH.exec(text.slice(span.to));
    const isOwners = /^['’]s?\b/.test(text.slice(span.to)); // "the death of Mara’s father"
    const of = isOwners ? null : DEATH_OF.exec(text.slice(Math.max(0, span.from - 40), span.from));
    if (told === null && of === null) return [];
    if (/late $/.test(of?.[0] ?? "") && !FULL_NAME.test(text.slice(span.from, span.to))) return [];
    const from = of === null ? span.from : span.from - of[0].length;
    const to = span.to + (told?.[0].length ?? 0);
    return isClaimed(text, from, to) ? [{ fact, passage, evidence: evidenceAt(passage, from, to) }] : [];
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
  if (/(?:^|[.!?…;,—“"] ?)had $/i.test(text.slice(0, from))) return false; // "had Mara died, we should have known"
  const claim = text
    .slice(start, to)
    .replace(/\b(?:did not|didn['’]t|never) (?:live|survive)|\b(?:May|Will)\b(?= \p{Lu})/gu, "");
  return !UNCLAIMED.test(claim) && (mark < 0 || text[to + mark] !== "?");
}
