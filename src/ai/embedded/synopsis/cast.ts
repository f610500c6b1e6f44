import { isPerson } from "../../../reading/cast-names.ts";
import { castNamesIn, castScanOf } from "../../../reading/cast-scan.ts";
import type { ReadingBook, ReadingChapter, ReadingFact, Span } from "../../../reading/reading.ts";

/** A name that detection finds in a chapter and the cast does not hold. */
export interface ProposedName {
  type: string;
  name: string;
  kind: string;
  confidence: number;
  occurrences: readonly Span[];
}

type Place = Pick<Span, "blockId" | "from" | "to">;

/** A person or place of a chapter. */
interface Seen {
  label: string;
  count: number;
  /** Its place among the chapter's names: the order among equals. */
  first: number;
  isPlace: boolean;
}

/** Who and what is named in a chapter. */
export interface ChapterNames {
  seen: readonly Seen[];
  /** Where people are named, by block. */
  people: ReadonlyMap<string, readonly Place[]>;
}

const MOST_PEOPLE = 6;
const MOST_PLACES = 3;
/** A name that the cast does not hold must come this often, and be this sure. */
const FEWEST_UNKNOWN = 2;
const SURE = 0.6;
const THING = /object|item|thing|event|organi[sz]ation/i;

/** One place of a name: who it is, and whether that is a place. */
interface Naming extends Pick<Seen, "label" | "isPlace"> {
  key: string;
  span: Place;
}

/** The names of a chapter: those of the cast; where it has no people, or no places, those that detection finds. */
export function namesIn(
  chapter: ReadingChapter,
  { cast }: Pick<ReadingBook, "cast">,
  found: readonly ProposedName[],
): ChapterNames {
  const seen = new Map<string, Seen>();
  const people = new Map<string, Place[]>();
  const hasPlaces = new Set(cast.filter(({ kind }) => !THING.test(kind)).map((fact) => !isPerson(fact)));
  const isOpen = ({ kind }: ProposedName) => !hasPlaces.has(kind === "place");
  const all = [
    ...knownIn(chapter, cast),
    ...found.filter((name) => isSure(name) && isOpen(name)).flatMap(namingsOf),
  ];
  for (const { key, label, isPlace, span } of all) {
    const one = seen.get(key) ?? { label, isPlace, count: 0, first: seen.size };
    one.count++;
    seen.set(key, one);
    if (!isPlace) people.set(span.blockId, [...(people.get(span.blockId) ?? []), span]);
  }
  const often = [...seen].filter(([key, { count }]) => !key.startsWith(NEW) || count >= FEWEST_UNKNOWN);
  const ranked = often.map(([, one]) => one).sort((a, b) => b.count - a.count || a.first - b.first);
  return { seen: ranked, people };
}

function knownIn({ blocks }: ReadingChapter, cast: readonly ReadingFact[]): Naming[] {
  const scan = castScanOf(cast);
  return blocks.flatMap(({ blockId, text }) =>
    castNamesIn(text, scan).flatMap(({ facts, from, to }): Naming[] => {
      const [fact] = facts;
      if (fact === undefined || facts.length > 1 || THING.test(fact.kind)) return [];
      return [{ key: fact.id, label: fact.name, isPlace: !isPerson(fact), span: { blockId, from, to } }];
    }),
  );
}

function isSure({ type, kind, confidence }: ProposedName): boolean {
  return type === "new_fact" && confidence >= SURE && (kind === "place" || kind === "character");
}

const NEW = "new ";

function namingsOf({ name, kind, occurrences }: ProposedName): Naming[] {
  return occurrences.map((span) => ({ key: NEW + name, label: name, isPlace: kind === "place", span }));
}

/** `With: Mara, Tobit. At: the Swatch.`: who is named most in a chapter and where it plays, most first; "" for nobody. */
export function peopleAndPlaces({ seen }: ChapterNames): string {
  const list = (isPlace: boolean, most: number) =>
    seen
      .filter((one) => one.isPlace === isPlace)
      .slice(0, most)
      .map(({ label }) => label.replace(/\.$/, ""))
      .join(", ");
  const people = list(false, MOST_PEOPLE);
  const places = list(true, MOST_PLACES);
  return [people && `With: ${people}.`, places && `At: ${places}.`].filter(Boolean).join(" ");
}
