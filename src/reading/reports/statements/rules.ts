import type { PASSAGE_ATTRIBUTES } from "../../../contract/enums.ts";
import { createKeyedRules, type KeyedRule, oneOf, wordsOfList } from "../../text/keyed-rules.ts";

/** Trait that a statement tells of. */
export type PassageAttribute = (typeof PASSAGE_ATTRIBUTES)[number];

/**
 * A way to state a trait. Whose it is: of the subject right before the words; of the owner, by a possessive, "had" or "with"
 * before the group `noun` or the whole; or of the name right before them (`name`) or behind them (`next`). The group `value` is what is told.
 */
export interface StatementRule extends KeyedRule {
  attribute: PassageAttribute;
  of: "subject" | "owner" | "name" | "next";
}

const LOOKS_WORDS = `
  tall short thin fat stout plump slim slender lean lanky skinny heavy heavily_built burly stocky wiry handsome pretty beautiful
  lovely ugly plain dark fair sallow ruddy swarthy freckled broad broad-shouldered tiny small little big huge gaunt bony thickset
  thick-set clean-shaven bearded bald bald-headed graceful elegant frail stooped round-shouldered good-looking striking
  fine-looking square-built powerfully_built well-built well-dressed shabby blond blonde
  (?:dark|fair|grey|gray|red|black|white|blue|brown|green|hollow|sharp|thin|long|round|square|heavy|light|yellow)-(?:eyed|haired|faced|skinned|cheeked|bearded|nosed|featured|complexioned)`;
const LOOKS = oneOf(LOOKS_WORDS);
const YEARS_WORDS = "young old elderly middle-aged aged";
const YEARS = oneOf(YEARS_WORDS);
const FEATURE_WORDS =
  "face complexion skin nose chin jaw cheeks cheekbones forehead brow lips mouth teeth ears features figure shoulders neck voice fingers legs build frame eyebrows lashes beard moustache mustache whiskers";
const FEATURE = oneOf(FEATURE_WORDS);
const OF_FEATURES_WORDS = `
  large small big little tiny wide narrow long short thin thick fat broad square round oval sharp blunt hooked aquiline straight
  crooked curly curled wavy smooth rough fine coarse heavy deep deep-set hollow sunken sallow ruddy freckled wrinkled lined
  tanned weathered full bony handsome pretty beautiful lovely ugly plain delicate strong weak pointed pock-marked olive swarthy
  clean-cut clean-shaven scarred bushy shaggy grizzled blind squinting almond-shaped high low hoarse husky harsh shrill soft
  musical yellow gold golden dark fair red white grey gray brown black blue green hazel massive powerful slender graceful stubby`;
const OF_FEATURES = oneOf(OF_FEATURES_WORDS);
const PERSON = oneOf("man woman girl boy fellow lady gentleman person youth child lad lass creature");
const PROFESSION_WORDS = `
  surgeon doctor physician dentist nurse midwife teacher schoolteacher schoolmaster schoolmistress professor lecturer tutor
  governess lawyer solicitor barrister attorney notary judge magistrate clerk secretary accountant banker merchant trader shopkeeper
  grocer butcher baker tailor seamstress dressmaker milliner cobbler blacksmith carpenter joiner mason builder plumber
  electrician mechanic engineer architect farmer gardener gamekeeper fisherman sailor soldier officer detective policeman
  policewoman inspector constable spy journalist reporter editor writer author novelist poet painter artist sculptor actor actress
  singer dancer musician pianist composer conductor photographer priest vicar curate parson clergyman monk nun preacher
  missionary scientist chemist biologist physicist astronomer historian librarian translator interpreter cook chef waiter
  waitress barman barmaid bartender innkeeper landlord landlady maid butler valet footman housekeeper servant groom coachman driver
  chauffeur pilot hairdresser barber apothecary pharmacist veterinarian vet undertaker hunter trapper miner weaver potter
  jeweller watchmaker clockmaker piano-tuner locksmith ferryman apprentice student gambler bootlegger boxer prize-fighter
  gunman cattleman cowboy rancher sheriff mayor senator minister diplomat stockbroker broker boatbuilder whaler harpooner mate
  bullfighter matador sergeant captain colonel major lieutenant general admiral`;
const PROFESSION = oneOf(PROFESSION_WORDS);
const RELATION_WORDS = `
  mother father brother sister son daughter wife husband uncle aunt cousin nephew niece grandfather grandmother grandson
  granddaughter stepmother stepfather stepson stepdaughter half-brother half-sister mother-in-law father-in-law
  brother-in-law sister-in-law son-in-law daughter-in-law twin fiancé fiancée godfather godmother`;
const RELATION = oneOf(RELATION_WORDS);
const KIN_OWNED =
  "(?:(?:two|three|four|five|six|many|several|elder|younger|big|little|older) )+(?:brothers?|sisters?|sons?|daughters?|children)";
const KIN = oneOf(
  "brothers? sisters? sons? daughters? children child wife husband nephews? nieces? cousins? grandchildren",
);
const THING_WORDS = `
  ring rings watch dog dogs puppy cat cats horse horses mare pony gun pistol revolver rifle sword dagger knife locket necklace bracelet
  brooch pendant diary camera piano violin cello guitar typewriter fortune car motor-car truck lorry van bicycle bike motorcycle
  motorbike carriage gig boat yacht ship schooner cart wagon parrot house cottage farm estate mill ranch shop inn saloon hotel
  bakery garage boatyard land property money`;
const THING = oneOf(THING_WORDS);
const CAR_WORDS = `
  Ford Chevy Chevrolet Buick Packard Cadillac Rolls-Royce Bentley Volvo Fiat
  Renault Citroën Peugeot Mercedes BMW Audi Volkswagen Toyota Honda Nissan Morris Austin Vauxhall Land_Rover Rover Jaguar Mini Skoda
  Saab Harley Vespa Triumph`;
const CAR = oneOf(CAR_WORDS);
const COUNT = "(?:an?|no|one|two|three|four|five|six|seven|eight|nine|ten|several|many|only one|the|some)";
const DIED =
  "(?:had )?(?:died|drowned|perished|passed away|breathed (?:his|her) last|lost (?:his|her) life|met (?:his|her) (?:death|end)|broken (?:his|her) neck|broke (?:his|her) neck|(?:hanged|drowned|shot|poisoned) (?:himself|herself)|(?:did not|never) (?:survive|lived? to see))\\b(?! (?:(?:of|with) (?:shame|laughter|laughing|boredom|curiosity)|laughing|crying|a (?:little|thousand)|away|down|his|her))";
const WAS_DEAD =
  "(?:had been dead(?= (?:for|since|these|nearly|almost|about|some|many|an?|\\p{L}+)\\b)|(?:was|is|lay|fell) (?:stone )?dead\\b(?! (?:tired|asleep|drunk|certain|sure|set|against|to|on|calm|keen|level|ahead|beat|straight|serious|still|right|wrong))|(?:was|had been|lies|lay) (?:buried|in (?:his|her) (?:grave|coffin)|laid to rest))";
const WAS_KILLED =
  "(?:was|were|had been) (?:killed|drowned|murdered|hanged|beheaded|executed|stabbed to death|strangled|poisoned|shot dead|found (?:dead|drowned|hanged|murdered)|lost (?:at sea|with all hands))\\b(?! (?:in|under|beneath) (?:work|papers|thought|a book))";
const DEATH_WORDS = "death funeral burial grave graveside murder corpse body widow widower";
const DEATH =
  "(?:(?:sudden |early |untimely )?death|funeral|burial|grave|graveside|murder|corpse|dead body|widow|widower)";
const ARTICLE = "(?:an?|the|our|my|his|her|their|your|one of the)";
const DEGREE =
  "(?:(?:very|rather|quite|so|too|still|always|also|extremely|remarkably|exceedingly|now|only|really) )*";
const IS = "(?:was|is|am|[’']m|['’]s|became|had been|has been|looked)";
const NAME = "\\p{Lu}[\\p{L}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)*";

const rule = (
  attribute: PassageAttribute,
  of: StatementRule["of"],
  needs: string,
  pattern: string,
): StatementRule => ({ attribute, of, needs: wordsOfList(needs), pattern: new RegExp(pattern, "gu") });

const SUBJECTS: readonly StatementRule[] = [
  rule(
    "looks",
    "subject",
    LOOKS_WORDS,
    `\\b${IS} ${DEGREE}(?:an? )?${DEGREE}(?<value>${LOOKS}(?:(?:,| and|, and| but) ${DEGREE}${LOOKS})*)(?= ?[.,;:!—]| and\\b| but\\b| with\\b| for\\b| (?:(?!of\\b|to\\b|in\\b)[a-z-]+ ){0,2}${PERSON}\\b)`,
  ),
  rule(
    "age",
    "subject",
    YEARS_WORDS,
    `\\b${IS} ${DEGREE}(?:an? )?${DEGREE}(?:[a-z-]+,? ){0,2}(?<value>${YEARS}) ${PERSON}\\b`,
  ),
  rule(
    "looks",
    "subject",
    "wore wearing dressed clad",
    "\\b(?:wore|was wearing|was dressed in|was clad in|always wore|never wore) (?!(?:an? |the |his |her )?(?:[a-z-]+ )?(?:look|expression|air|smile|frown|aspect|appearance)\\b)(?<value>(?:an? |the |his |her |no )?(?:[a-z-]+,? ){0,3}[a-z-]{3,})",
  ),
  rule(
    "looks",
    "subject",
    "feet foot",
    "\\b(?:stood|measured) (?<value>(?:over |nearly |about )?(?:five|six|seven) (?:feet|foot)(?: (?:two|three|four|five|six|seven|eight|nine|ten|eleven))?)",
  ),
  rule(
    "body",
    "subject",
    "handed lame blind deaf mute dumb legged armed eyed crippled cripple hunchbacked sighted",
    `\\b(?:${IS}|had been born) ${DEGREE}(?:an? )?(?<value>left-handed|right-handed|lame|blind|deaf|mute|dumb|one-legged|one-armed|one-eyed|crippled|hunchbacked|a cripple|short-sighted|near-sighted)\\b(?! (?:to|with|drunk))`,
  ),
  rule(
    "body",
    "subject",
    "limp stammer stutter stoop squint lisp hump scar birthmark tattoo leg eye crutch crutches cane arm",
    "\\b(?:walked with|had|has|with) (?:an?|his|her) (?:[a-z-]+ ){0,2}(?<value>limp|stammer|stutter|stoop|squint|lisp|hump|wooden leg|glass eye|crutch|crutches|cane)\\b",
  ),
  rule(
    "body",
    "subject",
    "limped stammered stuttered lisped",
    "\\b(?<value>limped|stammered|stuttered|lisped)\\b",
  ),
  rule(
    "hair",
    "subject",
    "bald grey gray redhead red blonde blond brunette white",
    `\\b(?:${IS}|had gone|went|was going) ${DEGREE}(?:an? )?(?:nearly |almost |completely )?(?<value>bald|gr[ae]y|redhead|red-headed|blonde?|brunette|bald-headed|white-haired|gr[ae]y-haired)(?= ?[.,;:!—]| and\\b| at\\b| now\\b)`,
  ),
  rule(
    "family",
    "subject",
    "only eldest oldest youngest middle second third elder younger",
    "\\b(?:was|is|am|['’]m) (?:the|an) (?<value>(?:only|eldest|oldest|youngest|middle|second|third|elder|younger)(?: child| one| son| daughter)?(?: of (?:the )?(?:two|three|four|five|six|seven|eight|nine|ten))?)(?= ?[.,;:!—]| and\\b| in\\b)",
  ),
  rule(
    "possessions",
    "subject",
    `${THING_WORDS} ${CAR_WORDS}`,
    `\\b(?:threw|turned|twisted|wore|lost|took off|put on|wound|parked|started|backed|locked|saddled|mounted|sold|fed|played) (?:the|his|her|an?) (?:[a-z-]+ )?(?<value>${THING}|${CAR})\\b`,
  ),
  rule(
    "profession",
    "subject",
    "drove drives",
    "\\b(?:drove|drives) an? (?<value>taxi|cab|bus|tram|lorry|truck|van|hansom)\\b",
  ),
  rule(
    "profession",
    "subject",
    "kept keeps ran runs had",
    "\\b(?:kept|keeps|ran|runs|had) (?:an?|the) (?:[a-z-]+ )?(?<value>shop|school|inn|bakery|boarding-house|boarding house|tavern|practice|surgery|newspaper|store|garage|restaurant|café)\\b",
  ),
  rule(
    "body",
    "subject",
    "left right",
    "\\b(?:wrote|writes|threw|signed|bowled|drew|ate|shot|played|dealt|sewed|held|took|wrote down|caught|struck|hit|worked)\\b[^.;!?]{0,50}\\b(?:with|in) (?:his|her) (?<value>left|right)\\b",
  ),
  rule(
    "body",
    "subject",
    "lost",
    "\\b(?:had )?lost (?:an?|his|her|the|two) (?<value>(?:left |right )?(?:eye|arm|leg|hand|finger|thumb|foot))\\b",
  ),
  rule(
    "family",
    "subject",
    `${RELATION_WORDS} orphan widow widower bachelor spinster child`,
    `\\b(?:was|is|['’]s|became) (?:the|an?|his|her|my|our|their|${NAME}[’']s?) (?:only |elder |eldest |younger |youngest |late |own |second |first |dear |natural )*(?<value>${RELATION}|orphan|widow|widower|bachelor|spinster|only child)\\b(?! (?:to|of) (?:him|her|them|all)\\b)`,
  ),
  rule(
    "family",
    "subject",
    "brother brothers sister sisters son sons daughter daughters children child wife husband nephew nephews niece nieces cousin cousins grandchildren",
    `\\b(?:had|has|have|['’]ve got|got) (?<value>${COUNT}(?: [a-z-]+){0,2} ${KIN})\\b`,
  ),
  rule("family", "subject", "married wed", `\\b(?:had )?(?:married|wed) (?<value>${NAME})`),
  rule(
    "family",
    "subject",
    "married engaged",
    `\\b(?:was|is) (?:married|engaged) to (?<value>${NAME}|an? (?:[a-z-]+ )?[a-z-]+)`,
  ),
  rule(
    "possessions",
    "subject",
    `${THING_WORDS} ${CAR_WORDS}`,
    `\\b(?:had|has|owned|owns|kept|keeps|bought|drove|rode|inherited|possessed|ran) (?:an?|two|three|four|several|his own|her own)(?: [a-z-]+){0,3}? (?<value>${THING}|${CAR})\\b`,
  ),
  rule(
    "profession",
    "subject",
    PROFESSION_WORDS,
    `\\b(?:${IS} ${DEGREE}${ARTICLE}|(?:became|trained as|worked as|works as|served as|practised as)(?: ${ARTICLE})?) (?:[a-z-]+ ){0,2}?(?<value>${PROFESSION})\\b(?![’'-])`,
  ),
  rule(
    "profession",
    "subject",
    "worked works",
    "\\b(?:worked|works|had worked) (?<value>(?:as|at|for|in) (?:the |an? )?[\\p{L}’-]+(?: [\\p{Lu}][\\p{L}’-]+)*)",
  ),
  rule(
    "profession",
    "subject",
    "taught teaches",
    "\\b(?:taught|teaches) (?<value>(?!him|her|me|us|them|his|the|a\\b)[\\p{L}]+)",
  ),
  rule(
    "place",
    "subject",
    "lived lives lodged dwelt resided living staying born raised grew brought",
    "\\b(?:lived|lives|lodged|dwelt|resided|was living|had always lived|was staying|was born|was raised|grew up|was brought up|had been born) (?<value>(?:in|at|on|near|above|over) [^.,;:!?”]{3,40})",
  ),
  rule("place", "subject", "from", `\\b(?:came|comes|hailed|was|is) from (?<value>(?:the )?${NAME})`),
  rule(
    "death",
    "subject",
    "died dead drowned perished passed breathed lost met broken killed murdered hanged beheaded executed poisoned strangled stabbed shot buried grave coffin laid lies lay fell neck live survive",
    `\\b(?<value>${DIED}|${WAS_DEAD}|${WAS_KILLED})`,
  ),
  rule(
    "title",
    "subject",
    "made promoted created appointed elected ordained",
    `\\b(?:was|had been|been|became) (?:made|promoted|created|appointed|elected|ordained)(?: an?| the| to)? (?<value>${PROFESSION}|earl|baron|knight|bishop|deacon|partner|head|chief|[\\p{Lu}][\\p{L}]+)\\b`,
  ),
];

const OWNED: readonly StatementRule[] = [
  rule(
    "family",
    "owner",
    "brother brothers sister sisters son sons daughter daughters children child wife husband nephew nephews niece nieces cousin cousins grandchildren",
    `\\b(?<noun>(?<value>${KIN_OWNED}))\\b`,
  ),
  rule(
    "looks",
    "owner",
    FEATURE_WORDS,
    `\\b(?<noun>(?<value>(?:${OF_FEATURES}(?:,| and|, and)? ){1,3}${FEATURE}))\\b`,
  ),
  rule(
    "looks",
    "owner",
    FEATURE_WORDS,
    `\\b(?<noun>${FEATURE}) (?:was|were|is|are) ${DEGREE}(?<value>${OF_FEATURES}(?:(?:,| and|, and) ${OF_FEATURES})*)(?= ?[.,;:!—]| and\\b| but\\b)`,
  ),
  rule(
    "body",
    "owner",
    "limp stammer stutter stoop squint lisp hump scar birthmark tattoo leg eye crutch crutches cane arm",
    "\\b(?<noun>(?<value>limp|stammer|stutter|stoop|squint|lisp|scar|birthmark|tattoo|wooden leg|glass eye|crutches|cane|lame leg|bad leg|game leg|withered arm))\\b",
  ),
  rule(
    "family",
    "owner",
    `${RELATION_WORDS} orphan widow widower bachelor spinster child`,
    `\\b(?<noun>(?<value>(?:(?:elder|younger|eldest|youngest|twin|late|dead|only|second|first|own|little|big|married) )*${RELATION}))(?=,? ${NAME}| (?:was|is) (?:an?|the|dead|called|named)\\b| (?:died|had died|is dead|lived)\\b)`,
  ),
  rule(
    "possessions",
    "owner",
    `dog cat horse mare pony gun pistol revolver rifle sword car truck lorry van bicycle motorcycle boat yacht schooner parrot violin piano farm estate ranch ring watch ${CAR_WORDS}`,
    `\\b(?<noun>(?:own |old |new |little |big |red |black |white |blue |green |grey |gray |battered )*(?<value>dog|cat|horse|mare|pony|gun|pistol|revolver|rifle|sword|car|motor-car|truck|lorry|van|bicycle|motorcycle|boat|yacht|schooner|parrot|violin|piano|farm|estate|ranch|ring|watch|${CAR}))\\b(?! (?:of|over)\\b)`,
  ),
  rule("death", "owner", DEATH_WORDS, `(?<=[’']s? )(?<noun>(?<value>${DEATH}))\\b(?!-)`),
  rule("death", "owner", DEATH_WORDS, `\\bthe (?<noun>(?<value>${DEATH}))(?= of \\p{Lu})`),
  rule(
    "profession",
    "owner",
    "trade profession occupation job employer",
    "\\b(?<noun>(?:trade|profession|occupation|job|employer)) (?:was|is) (?<value>[^.,;:!?”]{3,30})",
  ),
];

const BESIDE: readonly StatementRule[] = [
  rule(
    "death",
    "next",
    "late buried killed murdered hanged",
    // "the late Mr. Quill" may be the father
    "\\b(?<value>[Tt]he late(?= (?!(?:Mrs?|Miss|Ms|Dr|Sir|Lady|Lord|Captain|Colonel)\\b)\\p{L}+ \\p{Lu})|(?:had )?(?:buried|killed|murdered|hanged)) (?=\\p{Lu})",
  ),
  rule(
    "family",
    "owner",
    `${RELATION_WORDS} orphan widow widower bachelor spinster child`,
    `(?<=(?<!, )\\b[Mm]y |[’']s? )(?<noun>(?<value>(?:(?:elder|younger|eldest|youngest|twin|late|dead|only|big|little) )*${RELATION}))\\b`,
  ),
  rule(
    "profession",
    "next",
    PROFESSION_WORDS,
    `\\b(?:the|our|old) (?:[a-z-]+ )?(?<value>${PROFESSION}),? (?=\\p{Lu})`,
  ),
  rule(
    "looks",
    "name",
    LOOKS_WORDS,
    `(?<=, )(?:an?|the) ${DEGREE}(?<value>${LOOKS}(?:(?:,| and|, and)? ${LOOKS})*)(?=,? (?:[a-z-]+ ){0,2}${PERSON}\\b)`,
  ),
  rule(
    "profession",
    "name",
    PROFESSION_WORDS,
    `(?<=, )(?:an?|the|our|my|his|her) (?:[a-z-]+ ){0,2}(?<value>${PROFESSION})\\b(?=[.,;]| of\\b| from\\b| in\\b| at\\b| who\\b)`,
  ),
  rule(
    "family",
    "name",
    `${RELATION_WORDS} orphan widow widower bachelor spinster child`,
    `(?<=, )(?:his|her|my|the|${NAME}[’']s?) (?:only |elder |eldest |younger |youngest |late |own |second |first )*(?<value>${RELATION})\\b(?=[.,;]| of\\b)(?!, and\\b)`,
  ),
];

/** Every way to state a trait of a person; colours and ages in years are read apart. English. */
const RULES: readonly StatementRule[] = [...SUBJECTS, ...OWNED, ...BESIDE];

/** Finds what may state a trait in the sentences of a text. */
export const statementMatches = createKeyedRules(RULES);

/** Description of a place or a thing, as it stands behind its name. */
export const THING_RULE =
  /^(?:,? which|,? that)? (?<value>(?:was|is|stood|stands|lay|lies|had|has|belonged|belongs|overlooked|overlooks|faced|faces|rose|rises|ran|runs)\b(?! (?:been|not|to|seen|heard|left|gone|taken|made|no)\b)[^.;:!?”]{4,})|^, (?<apposed>an? [^.;:!?,”]{6,})/u;
