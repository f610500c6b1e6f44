import { groupBy } from "../../text/group-by.ts";
import type { Leaf } from "../document/leaf.ts";
import { countBlockWords } from "../document/words.ts";
import { reconcile } from "./reconcile.ts";
import { areAlike, pairAlike } from "./similar.ts";

/** A chapter as it was and as it is to be. */
export interface MovingSide<Key> {
  key: Key;
  was: readonly Leaf[];
  /** Leaves may bring ids of this chapter or of another. */
  now: readonly Leaf[];
}

/** A leaf that is gone from one chapter and new in another. */
export interface FoundMove<Key> {
  blockId: string;
  from: Key;
  to: Key;
  /** The leaf in the chapter where it was, and in the one where it is; its index there. */
  was: Leaf;
  now: Leaf;
  at: number;
  isEdited: boolean;
}

// A line of fewer words may be gone here and new there by chance; beside a paragraph that moved, it moved with that.
const WORDS_ENOUGH = 5;

/** A leaf at its place. */
interface Place<Key> {
  side: MovingSide<Key>;
  at: number;
  leaf: Leaf;
  says: string;
}

/**
 * Leaves that several chapters show gone here and new there: by the id that a leaf brings along; else by the very same text, if
 * that is of five words or more, gone once and new once; from such a pair on, its neighbours on both sides as long as they say
 * the same; else, where a chapter's own edits do not account for it, by likeness. Never two for one. O(leaves) for what is as it was.
 */
export function findMoves<Key>(sides: readonly MovingSide<Key>[]): FoundMove<Key>[] {
  const known = readPlaces(sides);
  pairByIds(known);
  pairByTexts(known);
  pairNeighbours(known);
  pairByLikeness(known);
  return [...known.pairs.come].map(([to, from]) => ({
    blockId: String(from.leaf.blockId), // what was stored has one
    from: from.side.key,
    to: to.side.key,
    was: from.leaf,
    now: to.leaf,
    at: to.at,
    isEdited: from.says !== to.says,
  }));
}

/** Every leaf at its place, and what is known of them so far. */
interface Known<Key> {
  places: readonly { side: MovingSide<Key>; was: readonly Place<Key>[]; now: readonly Place<Key>[] }[];
  pairs: Pairs<Key>;
  /** Which leaf had an id. */
  holders: ReadonlyMap<string | null, Place<Key>>;
  /** Whether a leaf brings an id that its own chapter had. */
  isOwn: (place: Place<Key>) => boolean;
  /** The ids that a chapter is to have. */
  brought: ReadonlyMap<MovingSide<Key>, ReadonlySet<string | null>>;
  /** Whether a leaf may have gone from its chapter, or come to it. */
  isGoing: (place: Place<Key>) => boolean;
  isComing: (place: Place<Key>) => boolean;
  surplus: Surplus<Key>;
}

function readPlaces<Key>(sides: readonly MovingSide<Key>[]): Known<Key> {
  const places = sides.map((side) => ({
    side,
    was: placesOf(side, side.was),
    now: placesOf(side, side.now),
  }));
  const surplus = new Surplus(places);
  const pairs = new Pairs<Key>();
  const holders = new Map(
    places.flatMap(({ was }) => was.map((place) => [place.leaf.blockId, place] as const)),
  );
  const brought = new Map(
    places.map(({ side, now }) => [side, new Set(now.map(({ leaf }) => leaf.blockId))]),
  );
  const isBrought = ({ side, leaf }: Place<Key>) =>
    leaf.blockId !== null && brought.get(side)?.has(leaf.blockId) === true;
  // Several may have had one: a chapter that is not known any more as it is, or an older file put back.
  const had = new Map(places.map(({ side, was }) => [side, new Set(was.map(({ leaf }) => leaf.blockId))]));
  const isOwn = ({ side, leaf }: Place<Key>) =>
    leaf.blockId !== null && had.get(side)?.has(leaf.blockId) === true;
  return {
    places,
    pairs,
    holders,
    isOwn,
    brought,
    surplus,
    isGoing: (place) => !pairs.gone.has(place) && !isBrought(place) && surplus.isGone(place),
    isComing: (place) => !pairs.come.has(place) && !isOwn(place) && surplus.isNew(place),
  };
}

function pairByIds<Key>({ places, pairs, holders, isOwn, brought }: Known<Key>): void {
  for (const place of places.flatMap(({ now }) => now)) {
    const { blockId } = place.leaf;
    const holder = blockId === null ? undefined : holders.get(blockId);
    if (holder === undefined || isOwn(place) || brought.get(holder.side)?.has(blockId)) continue;
    pairs.add(holder, place);
  }
}

function pairByTexts<Key>({ places, pairs, isGoing, isComing }: Known<Key>): void {
  const textOf = ({ says }: Place<Key>) => says;
  const gone = groupBy(places.flatMap(({ was }) => was).filter(isGoing), textOf);
  const come = groupBy(places.flatMap(({ now }) => now).filter(isComing), textOf);
  for (const [says, [from, ...others]] of gone) {
    const [to, ...more] = come.get(says) ?? [];
    if (to === undefined || others.length + more.length > 0 || from.side === to.side) continue;
    if (countBlockWords(from.leaf.node) >= WORDS_ENOUGH) pairs.add(from, to);
  }
}

function pairNeighbours<Key>({ places, pairs, surplus, isGoing, isComing }: Known<Key>): void {
  const listOf = new Map(places.map(({ side, was, now }) => [side, { was, now }]));
  const follow = (from: Place<Key>, to: Place<Key>, step: 1 | -1) => {
    for (let by = step; ; by += step) {
      const one = listOf.get(from.side)?.was[from.at + by];
      const other = listOf.get(to.side)?.now[to.at + by];
      if (one === undefined || other === undefined || one.says !== other.says) return;
      if (!isGoing(one) || !isComing(other)) return;
      surplus.take(one, other);
      pairs.add(one, other);
    }
  };
  const found = [...pairs.come];
  for (const [to, from] of found) surplus.take(from, to);
  for (const [to, from] of found) {
    follow(from, to, 1);
    follow(from, to, -1);
  }
}

/** Pairs what was edited as well: what is left when each chapter's own edits are known, and is like one other alone. */
function pairByLikeness<Key>({ places, pairs, isGoing, isComing }: Known<Key>): void {
  const isLeft = new Set(
    places.flatMap(({ was, now }) => [
      ...was.filter(isGoing),
      ...now.filter((place) => isComing(place) && place.leaf.blockId === null),
    ]),
  );
  const isAny = (side: "was" | "now") => places.some((one) => one[side].some((place) => isLeft.has(place)));
  if (!isAny("was") || !isAny("now")) return;
  for (const { was, now } of places) {
    const [olds, news] = [
      was.filter((place) => !pairs.gone.has(place)),
      now.filter((place) => !pairs.come.has(place)),
    ];
    const { from, into } = reconcile(olds.map(paragraph), news.map(paragraph));
    for (const [newAt, oldAt] of from.entries()) {
      const [one, other] = [olds[oldAt], news[newAt]!]; // one entry a new place
      // What is only somewhat like what stood in its place may be more like what stood elsewhere.
      if (one === undefined || !areAlike(one.leaf.text, other.leaf.text)) continue;
      for (const place of [one, other]) isLeft.delete(place);
    }
    for (const [oldAt, newAt] of into.entries()) if (newAt >= 0) isLeft.delete(olds[oldAt]!); // as above
  }
  const [olds, news] = [places.flatMap(({ was }) => was), places.flatMap(({ now }) => now)];
  const leftIn = (all: readonly Place<Key>[]) =>
    new Set(all.flatMap((place, at) => (isLeft.has(place) ? [at] : [])));
  const free = { olds: leftIn(olds), news: leftIn(news) };
  if (free.olds.size === 0 || free.news.size === 0) return;
  for (const [oldAt, newAt] of pairAlike(olds.map(paragraph), news.map(paragraph), free)) {
    const [from, to] = [olds[oldAt]!, news[newAt]!]; // as above
    if (from.side !== to.side) pairs.add(from, to);
  }
}

const paragraph = <Key>({ leaf: { node, text } }: Place<Key>) => ({ type: node.type, text });

/** Which leaf goes where; neither side of a pair twice. */
class Pairs<Key> {
  readonly gone = new Set<Place<Key>>();
  readonly come = new Map<Place<Key>, Place<Key>>();

  add(from: Place<Key>, to: Place<Key>): void {
    if (this.gone.has(from) || this.come.has(to)) return;
    this.gone.add(from);
    this.come.set(to, from);
  }
}

/** How many leaves of a text a chapter has more, or less, than it had, those that are known to have moved not counted. */
class Surplus<Key> {
  readonly #counts: ReadonlyMap<MovingSide<Key>, Map<string, number>>;

  constructor(
    places: readonly { side: MovingSide<Key>; was: readonly Place<Key>[]; now: readonly Place<Key>[] }[],
  ) {
    this.#counts = new Map(
      places.map(({ side, was, now }) => {
        const counts = new Map<string, number>();
        for (const { says } of was) counts.set(says, (counts.get(says) ?? 0) - 1);
        for (const { says } of now) counts.set(says, (counts.get(says) ?? 0) + 1);
        return [side, counts];
      }),
    );
  }

  isGone({ side, says }: Place<Key>): boolean {
    return (this.#counts.get(side)?.get(says) ?? 0) < 0;
  }

  isNew({ side, says }: Place<Key>): boolean {
    return (this.#counts.get(side)?.get(says) ?? 0) > 0;
  }

  take(from: Place<Key>, to: Place<Key>): void {
    this.#add(from, 1);
    this.#add(to, -1);
  }

  #add({ side, says }: Place<Key>, change: number): void {
    const counts = this.#counts.get(side);
    counts?.set(says, (counts.get(says) ?? 0) + change);
  }
}

function placesOf<Key>(side: MovingSide<Key>, leaves: readonly Leaf[]): Place<Key>[] {
  return leaves.map((leaf, at) => ({ side, at, leaf, says: whatItSays(leaf) }));
}

/** A leaf's kind and text; of one without text, a picture say, all that it holds. */
function whatItSays({ node: { type, content, attrs }, text }: Leaf): string {
  if (text !== "" || type === "scene_break") return `${type} ${text}`;
  const { blockId: _, ...own } = attrs ?? {};
  return `${type} ${JSON.stringify([content ?? [], own])}`;
}
