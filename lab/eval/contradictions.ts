/**
 * Contradictions seeded into the sample novel: people with looks and ages, one paragraph that keeps to them in one
 * chapter and one that does not in a later one, and paragraphs that only look like contradictions.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { randomFrom } from "../../test/support/random.ts";
import { readNovel } from "./novels.ts";

/** A kind of contradiction that is seeded. */
export type SeedKind = "eyes" | "hair" | "age" | "weekday" | "death";

/** A seeded book: what was put in, and what each false statement says. */
export interface SeededBook {
  /** The novel as it was. */
  plain: ReadingChapter[];
  chapters: ReadingChapter[];
  cast: ReadingFact[];
  seeds: { kind: SeedKind; blockId: string; text: string }[];
}

const NOVEL = join(import.meta.dirname, "../../fixtures/novel");
const EYES = ["blue", "grey", "green", "brown", "hazel"];
const HAIR = ["fair", "black", "red", "brown", "white", "golden", "dark", "auburn"];
/** Colours that do not contradict one another. */
const KIN = [
  ["brown", "hazel", "dark"],
  ["green", "hazel"],
  ["dark", "black"],
  ["fair", "golden"],
  ["red", "auburn"],
  ["brown", "auburn", "dark"],
];

// N is the name, S and s she or he, P her or his, C a colour, A an age.
const LOOKS: Readonly<Record<"eyes" | "hair", readonly string[]>> = {
  eyes: [
    "N looked up from the counter, and the lamp caught P C eyes.",
    "N’s eyes, C as ever, went to the window and came back.",
    "“Well,” said N, and P C eyes narrowed. “That’s one way of putting it.”",
    "N had C eyes, and did not trouble to hide what they had seen.",
    "N considered me for some time with those C eyes.",
    "There was salt on N’s lashes, and the eyes under them were C and sore.",
    "I had never noticed until then that N’s eyes were a very clear C.",
    "N came in off the wall. S had a cold, and P C eyes were streaming.",
    "It was N, C-eyed and wide awake at ten to five in the morning.",
    "What I chiefly remember is the C of N’s eyes in all that smoke.",
    "N’s C eyes gave nothing away.",
    "N took off P spectacles. P eyes were C, and smaller than I had supposed.",
    "N read it through once more, P large C eyes going back and forth like a shuttle.",
  ],
  hair: [
    "The wind had got at N’s C hair and it stood on end.",
    "N pushed the wet C hair back from P forehead.",
    "N took off P hat. P hair was C, and cut like a convict’s.",
    "N had gone out without a coat, with P long C hair uncovered.",
    "N, whose hair was C, had been put at the end of the row to balance the choir.",
    "Nobody could miss N: there was all that C hair.",
    "N’s hair had always been C.",
    "N sat down by the stove to dry P C hair, and said nothing at all.",
    "“Don’t move,” I said. There was a bee in N’s thick C hair.",
    "N had a head of C hair like a doormat.",
    "By then N, C-haired and soaked to the skin, had got the oar across.",
    "N bent over the ledger until P C curls touched the page.",
  ],
};
const AGES = [
  "N was A that winter, and not to be argued with.",
  "N, who was A, carried it up the stair without once putting it down.",
  "At A, N could still lift a full bag with one hand.",
  "N turned A on the Friday, and told nobody.",
  "N put down the kettle. S was A, and had never been seen to hurry.",
  "“N is A,” said the postman, “and ought to know better.”",
  "It was explained that N was A years old and did not need to be met.",
  "N, aged A, had been given the front seat.",
  "N was a person of A with a great many opinions.",
  "N was only A, whatever S gave out.",
  "By the church register N was exactly A.",
];
const DATES = [
  "W, D M Y",
  "W the N of M, Y",
  "W, M D, Y",
  "the N of M, Y, a W",
  "W D M Y",
  "D M Y, which was a W",
];
const DATED = [
  "The letter was headed {date}, in green ink, and began without a greeting.",
  "According to the log it was {date} when the engine was first started.",
  "She had been christened on {date}, and there was a mug to prove it.",
  "“It says {date},” said Miss Threlfall, “and I see no reason to doubt it.”",
  "Nothing was entered for {date} but the weather.",
];
const DEATHS = [
  "N died in the second week of Lent, in bed, with the window open.",
  "They found the boat on the Cattermole. N was drowned.",
  "N had died in the night, quite quietly, and the milk was still on the step.",
  "N’s funeral was on the Thursday. There were ninety of us in a church that holds eighty.",
  "It was the death of N that put an end to the choir.",
  "N was killed on the Maldry road, by a lorry full of sugar beet.",
  "We buried N on the Monday, in the rain, beside the wall.",
  "That was the year that N died.",
  "N was dead before the boat could be got across.",
];
const SPEECH = [
  "“I shouldn’t sit there,” said N. “It’s been painted.”",
  "N looked at the sky. “It’ll hold,” N said.",
  "“Twelve,” N answered, without turning round, and went on counting.",
  "“And who,” asked N, “is to pay for the paint?”",
];
/** Paragraphs that contradict nothing. */
const DECOYS = [
  "“She’s got green eyes, that one,” said the postman, who had never met her.",
  "The girl behind Miss Threlfall had blue eyes and a cough.",
  "Miss Threlfall’s mother had had red hair, by all accounts, and a temper to go with it.",
  "When Lucy was four she had bitten a curate.",
  "Captain Catchpole nearly died of laughing, and had to be thumped.",
  "I thought for a moment that Canon Oddy was dead; he was listening.",
  "Mr. Sandeman was dead tired, and said so.",
  "It was on Sunday, 1 February 1953, that the wall went.",
  "The Canon’s eyes were red with smoke, and everybody else’s too.",
  "Miss Threlfall was one of five, and the only one who could add.",
  "If Miss Threlfall had been sixty she could not have been more patient.",
  "Lucy was not the brown-eyed child of the photograph; that was a cousin.",
  "“When I was twenty,” said Miss Threlfall, “I fell off a horse.”",
  "A man with black hair asked Captain Catchpole the way.",
  "Monday, 2 February 1953, was no better.",
];

/** The sample novel with `count` seeded contradictions, the kinds in turn, and every decoy. */
export function seedContradictions(count: number, seed: number): SeededBook {
  const random = randomFrom(seed);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!; // below its length
  const plain = readNovel(NOVEL);
  const chapters = plain.map((chapter) => ({ ...chapter, blocks: [...chapter.blocks] }));
  const seeds: SeededBook["seeds"] = [];
  const put = (text: string, chapter: number): string => {
    const { blocks, chapterId } = chapters[chapter]!; // within the novel
    const blockId = `${chapterId}-seed-${blocks.length}`;
    blocks.splice(Math.floor(random() * blocks.length), 0, { blockId, text });
    return blockId;
  };
  const people = new People(random);
  const kinds: readonly SeedKind[] = ["eyes", "hair", "age", "weekday", "death"];
  for (let index = 0; index < count; index++) {
    const kind = kinds[index % kinds.length]!; // in range by the modulo
    const early = Math.floor(random() * (chapters.length - 1));
    const late = early + 1 + Math.floor(random() * (chapters.length - early - 1));
    const add = (text: string, chapter: number) => seeds.push({ kind, text, blockId: put(text, chapter) });
    if (kind === "weekday") {
      add(pick(DATED).replace("{date}", dateOf(random, false)), late);
      put(pick(DATED).replace("{date}", dateOf(random, true)), early);
      continue;
    }
    // Half of them against the cast, half against another chapter.
    const isOfCast = kind !== "death" && random() < 0.5;
    const person = people.add(kind, isOfCast);
    if (kind === "death") {
      put(person.fill(pick(DEATHS)), early);
      add(person.fill(pick(SPEECH)), late);
    } else {
      const texts = kind === "age" ? AGES : LOOKS[kind];
      if (!isOfCast) put(person.fill(pick(texts), person.right), early);
      add(person.fill(pick(texts), person.wrong), late);
    }
  }
  for (const decoy of DECOYS) put(decoy, Math.floor(random() * chapters.length));
  return { plain, chapters, cast: [...castOfNovel(), ...people.facts], seeds };
}

/** The facts of the sample novel. */
export function castOfNovel(): ReadingFact[] {
  const { facts } = JSON.parse(readFileSync(join(NOVEL, "cast.json"), "utf8")) as {
    facts: Omit<ReadingFact, "id">[];
  };
  return facts.map((fact, index) => ({ id: `fa_${index}`, ...fact }));
}

const FIRST =
  "Agnes Barnaby Cornelia Desmond Esther Fergus Griselda Hubert Imogen Jasper Keziah Lionel Mabel Norman Octavia Percival Rosalind Sylvester Tabitha Ulric Violet Walter Yolanda Zachary".split(
    " ",
  );
const LAST =
  "Brackenbury Crowhurst Dimmock Eversley Fothergill Gathercole Hollingbery Iremonger Jessop Kittredge Lambourne Mumford Nettlefold Ormerod Pomfret Quennell Rushbrooke Sheepshanks Tolliver Umfreville Vavasour Wigginton Yelverton Zeal".split(
    " ",
  );

class People {
  readonly facts: ReadingFact[] = [];
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** A new islander of their own name, with what the cast says where `isOfCast`. */
  add(
    kind: SeedKind,
    isOfCast: boolean,
  ): { right: string; wrong: string; fill(text: string, value?: string): string } {
    const index = this.facts.length;
    const first = FIRST[index % FIRST.length]!; // in range by the modulo
    const last = LAST[(index * 7 + Math.floor(index / FIRST.length)) % LAST.length]!; // as above
    const isWoman = index % 2 === 0;
    const name = `${first} ${last}`;
    const [right, wrong] = this.values(kind);
    const attributes = [{ key: "sex", value: isWoman ? "female" : "male" }];
    if (isOfCast) attributes.push({ key: kind === "eyes" ? "eye colour" : kind, value: right });
    this.facts.push({ id: `fa_p${index}`, name, kind: "character", aliases: [], attributes, summary: "" });
    const [subject, possessive] = isWoman ? ["she", "her"] : ["he", "his"];
    const fill = (text: string, value = "") =>
      text
        .replace(/\bN\b/g, name)
        .replace(
          /(^|[.!?] )(["“]?)P\b/g,
          (_, before: string, mark: string) => before + mark + capital(possessive),
        )
        .replace(/(^|[.!?] )S\b/g, (_, before: string) => before + capital(subject))
        .replace(/\bP\b/g, possessive)
        .replace(/\bS\b/g, subject)
        .replace(/\b[CA]\b/g, (letter, at: number, all: string) =>
          letter === "A" && at === 0 && !/^A, N/.test(all) ? letter : value,
        );
    return { right, wrong, fill };
  }

  private values(kind: SeedKind): [string, string] {
    const list = kind === "hair" ? HAIR : EYES;
    const draw = () => list[Math.floor(this.random() * list.length)]!; // below its length
    if (kind !== "age") {
      const right = draw();
      for (let wrong = draw(); ; wrong = draw()) {
        if (wrong !== right && !KIN.some((kin) => kin.includes(wrong) && kin.includes(right)))
          return [right, wrong];
      }
    }
    const age = 25 + Math.floor(this.random() * 50);
    const off = 3 + Math.floor(this.random() * 12);
    return [inWords(age), this.random() < 0.5 ? inWords(age + off) : inWords(age - off)];
  }
}

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth".split(
    " ",
  );

/** A date with its weekday, or with another. */
function dateOf(random: () => number, isRight: boolean): string {
  const [year, month, day] = [
    1900 + Math.floor(random() * 106),
    Math.floor(random() * 12),
    1 + Math.floor(random() * 28),
  ];
  const off = isRight ? 0 : 1 + Math.floor(random() * 6);
  const weekday = DAYS[(new Date(Date.UTC(year, month, day)).getUTCDay() + off) % 7]!; // in range by the modulo
  const parts: Record<string, string> = {
    W: weekday,
    D: String(day),
    N: ORDINALS[day - 1]!,
    M: MONTHS[month]!,
    Y: String(year),
  }; // both in range
  return DATES[Math.floor(random() * DATES.length)]!.replace(/\b[WDNMY]\b/g, (letter) => parts[letter]!); // each has its part
}

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

function inWords(age: number): string {
  if (age < 20) return UNITS[age]!; // below its length
  const ten = TENS[Math.floor(age / 10) - 2]!; // as above
  return age % 10 === 0 ? ten : `${ten}-${UNITS[age % 10]}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
