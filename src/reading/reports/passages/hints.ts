import type { PASSAGE_ATTRIBUTES } from "../../../contract/enums.ts";

/** Trait that a describing sentence tells of. */
export type PassageAttribute = (typeof PASSAGE_ATTRIBUTES)[number];

/**
 * A word that may describe; with `before` and `after` only where one of them fits the words around it, and never where
 * `unless` fits those behind it.
 */
export interface Hint {
  attribute: PassageAttribute;
  of: "person" | "thing";
  before: RegExp | undefined;
  after: RegExp | undefined;
  unless: RegExp | undefined;
}

const NUMBERS =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety";
const COLOURS =
  "blue bluest azure violet grey gray slate green emerald jade brown amber hazel chestnut topaz tawny black dark pale light fair blond blonde golden gold yellow flaxen straw red ginger copper sandy auburn russet raven jet white silver silvery snowy colour color colourless colorless coloured colored brilliant bright";
const QUALITIES =
  "large small big little tiny huge wide narrow long short thin thick fat broad square round oval sharp blunt hooked straight crooked curly curled wavy smooth rough hard soft fine coarse heavy deep hollow sunken sallow ruddy freckled wrinkled lined tanned weathered full bare bony handsome pretty beautiful lovely ugly plain fine delicate strong weak gold-rimmed clean-shaven one-eyed blind squinting almond";
const either = (words: string): string => `(?:${words.replaceAll(" ", "|")})`;
/** Visible traits, within a few words. */
const SEEN = `\\b(?:${either(COLOURS)}|${either(QUALITIES)}|like|(?:father|mother|brother|sister)[’']s)\\b`;
const SEEN_BEFORE = new RegExp(`${SEEN}[^.;!?]{0,25}$`, "iu");
const SEEN_AFTER = new RegExp(`^[^.;!?]{0,35}?${SEEN}`, "iu");
const OWNED =
  /(?:\b(?:his|her|hers|my|mine|your|own(?:ed|s)?|had|has|have|having|['’]d|with|without|wore|wears|kept|keep|bought|sold|carried|carries|inherited|no)\b|[’']s|s[’'])[^.;!?]{0,40}$/iu;
const OWNER_AFTER = /^[^.;!?]{0,12}\bof (?:his|hers|mine|\p{Lu})/u;
const IS_ONE =
  /(?:\b(?:an?|as|was|is|are|were|be|been|being|became|become|trained|retired|former|famous|by|our|his|her|my|your|made|the)\b|['’](?:s|m|re)\b|,)(?: (?:the|an?))?(?: [\p{L}-]+){0,2} ?$/iu;

/** Behind a number: what is counted, if that are no years of a life. "Five years before", "two or three days". */
const COUNTED = new RegExp(
  `^(?: (?:or|and|to) ${either(NUMBERS)})? (?!years? (?:old|of|younger|older|his|her|my)\\b|months? old\\b|(?:and|or|but|when|then|now|next|last|if|that|this|in|on|at|to|by|as|with|who|past|hundred|already|again|too|one|${NUMBERS.replaceAll(" ", "|")})\\b)\\p{Ll}`,
  "u",
);

type Rule = [
  attribute: PassageAttribute,
  words: string,
  around?: Partial<Pick<Hint, "before" | "after" | "unless">>,
];

const RULES: readonly Rule[] = [
  ["eyes", "eye eyes eyed eyelashes lashes eyebrows", { before: SEEN_BEFORE, after: SEEN_AFTER }],
  [
    "hair",
    "hair haired hairs curl curls curly ringlets tresses plait plaits braid braids pigtail pigtails ponytail fringe mane beard bearded beardless moustache mustache moustaches whiskers sideburns stubble bald balding wig redhead blonde brunette cropped dyed bun",
  ],
  [
    "hair",
    "head heads locks lock",
    {
      before:
        /\b(?:blonde?|fair|dark|black|red|gr[ea]y|white|golden|auburn|cropped|shaven|bald|curly|sandy|ginger|brown|silver|thinning)[ ,][^.;!?]{0,12}$/iu,
      after:
        /^,? (?:was |were )?(?:blonde?|fair|black|red|gr[ea]y|white|golden|auburn|cropped|shaven|bald)\b/iu,
    },
  ],
  [
    "looks",
    "face faces complexion skin nose chin jaw cheeks cheekbones forehead brow lips mouth teeth ears features figure shoulders neck voice accent hands",
    { before: SEEN_BEFORE, after: /^(?:,| was| were| is| are| had| that)[^.;!?]{0,30}/iu },
  ],
  [
    "looks",
    "freckles freckled dimple dimples wrinkles spectacles glasses uniform complexioned built statuesque",
  ],
  ["looks", "wore wears wearing dressed clad height feet stature", { after: /^[^.;!?]{3}/u }],
  [
    "looks",
    "tall short thin fat stout plump slim slender lean lanky skinny heavy burly handsome pretty beautiful lovely ugly plain pale dark fair freckled broad tiny small little big huge long gaunt",
    {
      before:
        /(?:\b(?:was|is|were|be|been|looked?|grown?|grew|so|very|too|quite|rather|always|that|this)\b|['’](?:s|m|re))(?: (?:a|an|the|so|very|too|quite|rather|as|always))* ?$/iu,
      after:
        /^(?:,? [\p{L}-]+){0,2} (?:man|woman|girl|boy|fellow|lady|gentleman|person|creature|thing|child|lad)\b/iu,
    },
  ],
  [
    "body",
    "scar scars scarred limp limped limping lame crutch crutches cane stick deaf blind mute tattoo tattooed birthmark mole stump amputated paralysed paralyzed wheelchair hunchback stammer stutter stride gait pregnant consumptive wounded maimed fingers fingered thumb toes",
  ],
  ["body", "handed", { before: /(?:-|\b(?:left|right|one|single|two) )$/iu }],
  [
    "body",
    "hand hands arm arms leg legs wrist foot forearm elbow knee shoulder ear eye",
    {
      before:
        /\b(?:left|right|good|bad|wooden|false|missing|(?<!on the )(?:one|other)|withered|lost (?:an?|his|her|the))\b[^.;!?]{0,14}$/iu,
      after: /^[^.;!?]{0,12}\b(?:left|right|missing|dragging)\b/iu,
    },
  ],
  [
    "age",
    "aged age ages born birthday birthdays teens twenties thirties forties fifties sixties seventies eighties nineties middle-aged elderly youngster teenager adolescent octogenarian toddler",
  ],
  [
    "age",
    `${NUMBERS} hundred`,
    {
      unless: COUNTED,
      before:
        /(?:\b(?:was|is|were|are|be|been|am|at|turn(?:ed|s|ing)?|nearly|almost|barely|scarcely|just|only|past|over|under|about|yet|now|(?:man|woman|boy|girl|child|lad|lady|fellow|youth|person|gentleman) of(?: about| some| perhaps)?)|['’](?:s|m|re)) $|^[“"‘]?$|[.!?,;:—] [“"‘]?$/iu,
      after:
        /^(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?[- ](?:years?|months?)[- ](?:old|of age|younger|older|his|her)\b|^(?:[- ]\p{L}+)? years old/iu,
    },
  ],
  [
    "age",
    "old young older younger elder oldest",
    {
      before:
        /\b(?:was|is|be|been|looked|grown|grew|too|so|very|quite|as|years?|months?)(?: (?:an?|too|so|very|quite|rather|as|the))* ?[- ]?$/iu,
      after: /^ (?:man|woman|girl|boy|fellow|lady|gentleman|person|than)\b/iu,
    },
  ],
  [
    "family",
    "mother father mum mom mummy mama papa dad daddy brother brothers sister sisters son sons daughter daughters husband wife uncle aunt cousin cousins nephew niece grandmother grandfather grandson granddaughter grandparents parents parent twin twins orphan orphaned widow widower widowed fiancé fiancée stepmother stepfather stepson stepdaughter siblings sibling godfather godmother heir heiress bastard eldest youngest firstborn married marry marries marriage unmarried divorced divorce betrothed bachelor spinster childless bride bridegroom honeymoon ancestors",
  ],
  ["family", "engaged", { unless: /^ (?:in|with|on|upon|by|at|his|her|their|the|an?)\b/iu }],
  [
    "family",
    "child children kids baby boys girls",
    {
      before:
        /\b(?:only|elder|eldest|first|his|her|my|no|had|have|has|any|two|three|four|five|six|seven|eight|nine|ten|of)\b[^.;!?]{0,12}$/iu,
    },
  ],
  ["family", "ever", { before: /\b(?:was|were) only $/iu, after: /^ [^.;!?]{0,20}\band me\b/iu }],
  [
    "possessions",
    "ring rings watch dog dogs puppy cat horse mare pony house cottage apartment rooms farm estate mill land gun pistol revolver rifle sword dagger knife locket necklace bracelet brooch chain pendant diary notebook portrait umbrella camera piano violin guitar typewriter key keys purse fortune money car cars truck van lorry bicycle bike motorcycle motorbike motor carriage gig boat yacht ship cart wagon coat hat pipe parrot bird",
    { before: OWNED, after: OWNER_AFTER },
  ],
  [
    "possessions",
    "owned owns possessed possesses belonged belongs inherited bequeathed rented rent mortgage landlord tenant heirloom",
  ],
  [
    "possessions",
    "drive drives drove driving driven rode rides riding cycled pedalled parked steered wheel motorcycle motorbike bicycle pup",
  ],
  [
    "possessions",
    "car truck van lorry horse pony boat carriage",
    {
      before:
        /\b(?:put|parked|started|stopped|turned|backed|locked|mounted|saddled|left|got (?:in|into|out of|on|off)|climbed (?:in|into)|in|on|from)\b[^.;!?]{0,12}$/iu,
    },
  ],
  [
    "possessions",
    "ford chevy chevrolet alfa citroën citroen rover volvo bmw mercedes fiat renault toyota honda nissan bentley rolls jaguar mini audi volkswagen beetle cadillac buick dodge jeep harley vespa porsche saab peugeot skoda lancia triumph morris bedford pontiac oldsmobile studebaker plymouth chrysler mustang prius tesla",
    {
      before:
        /(?:\b(?:an?|the|his|her|my|old|red|blue|white|black|gr[ea]y|green|little|big|that)|[’']s)[^.;!?]{0,12}$/iu,
    },
  ],
  [
    "possessions",
    "s",
    {
      before:
        /\b(?:[Ii]t|[Tt]hat|[Tt]his|[Tt]hey|[Tt]hese|[Tt]hose) (?:was|were|is|are) \p{Lu}[\p{L} ]*[’']$/u,
      unless: /^[^,.;:]/u,
    },
  ],
  [
    "title",
    "promoted promotion demoted knighted knighthood ennobled rank ranks title titles titled doctorate commission commissioned crowned ordained baronet baronetcy duke duchess earl countess viscount baron baroness lordship ladyship peerage majesty highness excellency",
  ],
  [
    "title",
    "degree",
    {
      before: /\b(?:his|her|my|law|medical|no|(?<!\b(?:to|in) )an?) $/iu,
      unless: /^ (?:of|as|that|which)\b/iu,
    },
  ],
  [
    "title",
    "major general private",
    {
      before: /(?:\b(?:an?|as|was|is|be|been|became|become|made|acting|former|late|the)|['’](?:s|m)) $/iu,
      unless: /^ (?!and|who|was|is|had|has|of|in|at|said|with|for|to|on|himself|herself)\p{Ll}/u,
    },
  ],
  [
    "title",
    "captain colonel lieutenant sergeant corporal admiral commander commodore inspector constable superintendent doctor professor judge bishop archbishop cardinal sheriff marshal lord lady sir dame king queen prince princess emperor empress president senator governor mayor minister abbot abbess",
    {
      before:
        /(?:\b(?:an?|as|was|is|be|been|became|become|made|acting|former|late|the)|['’](?:s|m)) (?:[\p{L}-]+ )?$/iu,
    },
  ],
  [
    "profession",
    "surgeon doctor physician dentist nurse midwife teacher schoolteacher schoolmaster schoolmistress professor lecturer tutor governess lawyer solicitor barrister attorney notary judge clerk secretary accountant banker merchant trader shopkeeper grocer butcher baker tailor seamstress dressmaker milliner cobbler blacksmith smith carpenter joiner mason builder plumber electrician mechanic engineer architect farmer gardener gamekeeper fisherman sailor soldier officer detective policeman policewoman spy journalist reporter editor writer author novelist poet painter artist sculptor actor actress singer dancer musician pianist composer conductor photographer priest vicar curate parson monk nun preacher missionary scientist chemist biologist physicist astronomer historian librarian translator interpreter cook chef waiter waitress barman barmaid innkeeper landlord landlady maid butler valet footman housekeeper servant groom coachman driver chauffeur pilot hairdresser barber apothecary pharmacist veterinarian vet undertaker gravedigger hunter trapper miner weaver potter jeweller watchmaker clockmaker tuner locksmith ferryman pilot apprentice student",
    { before: IS_ONE, after: /^(?:[’']s (?:uniform|coat|bag|apron|cap)| at law| by (?:trade|profession))/iu },
  ],
  [
    "profession",
    "profession trade occupation employed employer job career practised practiced living practice apprenticed",
    { before: /\b(?:by|his|her|my|a|an|in|for|was|had|from|your|whose)\b[^.;!?]{0,12}$/iu },
  ],
  ["profession", "work works worked working", { after: /^ (?:as|at|for|in|with|on the)\b/iu }],
  ["profession", "teach teaches teaching taught", { after: /^ \p{L}/u }],
  [
    "profession",
    "written writes wrote published painted composed",
    {
      after:
        /^[^.;!?]{0,20}\b(?:novels?|books?|poems?|plays?|stories|portraits?|pictures|music|symphon|songs?)/iu,
    },
  ],
  [
    "profession",
    "school hospital university garage office bank factory shop college court",
    {
      before:
        /\b(?:years?|term|work(?:ed|s)?|taught|job|post|place|position|partner|clerk) (?:at|in|of) (?:the |an? )?$/iu,
    },
  ],
  [
    "place",
    "live lives lived living dwelt dwelled reside resided resident lodged lodgings lodging stayed staying settled moved native emigrated",
    { after: /^[^.;!?]{0,24}\b(?:in|at|on|to|near|above|over|from|of|by|with|there|here|alone|abroad)\b/iu },
  ],
  [
    "place",
    "from",
    { before: /\b(?:was|is|came|comes|come|were|are|hailed) $/iu, after: /^ (?:the )?\p{Lu}/u },
  ],
  [
    "place",
    "home address",
    { before: /\b(?:his|her|my|at|from|go|went|going|left|was|near)\b[^.;!?]{0,12}$/iu },
  ],
  [
    "death",
    "dead died dies dying death drowned killed murdered buried funeral coffin corpse hanged executed perished slain deceased",
    { unless: /^ (?:away|down|out)\b/iu },
  ],
  [
    "death",
    "grave",
    {
      before: /(?:\b(?:the|his|her|my|your|our|their|own|whose|early)|[’']s)(?: [\p{L}-]+)? $/iu,
      unless:
        /^,? (?!of|in|at|on|by|and|or|was|is|had|where|with|to|under|beside|for|beneath|before|when|that|which)\p{Ll}/u,
    },
  ],
];

/** Hints that describe a place or a thing. */
const OF_THINGS: readonly Rule[] = [
  [
    "place",
    "north south east west northern southern eastern western mile miles league leagues kilometre kilometres kilometer kilometers hour hours journey ride drive walk coast shore river valley hill hills mountain mountains island sea bay forest wood marsh moor plain border corner square street road lane harbour harbor beyond behind opposite overlooked overlooking overlooks lay lies stood stands between near far below above upstream downstream inland",
  ],
  [
    "looks",
    `${COLOURS} wall walls gate gates tower towers built building buildings roof roofs house houses window windows door doors stone brick wooden timber church inhabitants population people deep depth fathoms bottom shallow waist wide narrow long short high low tall steep huge large small little big great empty crowded old new ancient modern ruin ruined ruins shut open rusty broken cracked carved engraved gilt iron wood gold silver made square round`,
  ],
  ["possessions", "belonged belongs owned owner inherited given bought sold heirloom"],
  [
    "possessions",
    "hers his",
    { before: /\b(?:is|was|are|were|be|been|become|became) (?:\p{L}+ )?$/iu, unless: /^ \p{L}/u },
  ],
  ["age", "century centuries founded"],
];

/** Every word that may describe, in lower case, with its hints. */
export const HINTS: ReadonlyMap<string, readonly Hint[]> = hintsOf();

function hintsOf(): Map<string, Hint[]> {
  const hints = new Map<string, Hint[]>();
  const add = (rules: readonly Rule[], of: Hint["of"]) => {
    for (const [attribute, words, around] of rules) {
      for (const word of words.split(" ")) {
        const known = hints.get(word);
        const hint = { attribute, of, before: around?.before, after: around?.after, unless: around?.unless };
        if (known === undefined) hints.set(word, [hint]);
        else known.push(hint);
      }
    }
  };
  add(RULES, "person");
  add(OF_THINGS, "thing");
  return hints;
}

/** Hints in digits: an age, or the years of a life. */
export const OF_DIGITS: readonly Hint[] = [
  {
    attribute: "age",
    of: "person",
    unless: undefined,
    before:
      /\b(?:born|died|dates|aged|am|is|was|turned|at)\b[^.;!?]{0,24}$|\b1[0-9]\d\d (?:and|to|[-–—]) $/iu,
    after: /^[- ](?:years?[- ]old|years? of age)|^ ?(?:and|to|[-–—]) ?1[0-9]\d\d\b/iu,
  },
];

/** How many characters around a word its hints may read. */
export const AROUND = 60;

/** By what a fragment goes on with what was described last: "Grey, like the sea.", "They were brown." */
export const GOES_ON = new RegExp(
  `^[“"‘]?(?:(?:They|It) (?:were|was|are|is) )?(?:${either(COLOURS)}|(?:${NUMBERS.replaceAll(" ", "|")}))\\b`,
  "iu",
);
