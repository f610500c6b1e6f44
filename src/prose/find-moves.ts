import { groupBy } from "../text/group-by.ts";
import type { Leaf } from "./document/leaves.ts";
import { countBlockWords } from "./document/words.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import { likenessOf, pairAlike } from "./reconcile/similar.ts";

/** A chapter before and after. */
export interface MovingSide<Key> {
  key: Key;
  was: readonly Leaf[];
  /** Leaves may bring ids of this chapter or of another. */
  now: readonly Leaf[];
}

/** A leaf that left one chapter and is new in another. */
export interface FoundMove<Key> {
  blockId: string;
  from: Key;
  to: Key;
  /** The leaf in its old chapter, and in its new one; its index there. */
  was: Leaf;
  now: Leaf;
  at: number;
  isEdited: boolean;
}

// Words below which a line may disappear here and appear there by chance. Next to a moved paragraph it moved along.
const WORDS_ENOUGH = 5;

/** A leaf at its place. */
interface Place<Key> {
  side: MovingSide<Key>;
  at: number;
  leaf: Leaf;
  says: string;
}

/**
 * Finds leaves that moved between chapters: by the id that a leaf brings; else by equal text of five words or more,
 * removed once and new once; then equal neighbours on both sides of such a pair; else, if the chapter's own edits do
 * not explain it, by likeness. Each leaf is in one move at most. O(leaves) for unchanged ones.
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

/** Leaves with their places, and the matches until now. */
interface Known<Key> {
  places: readonly { side: MovingSide<Key>; was: readonly Place<Key>[]; now: readonly Place<Key>[] }[];
  pairs: Pairs<Key>;
  /** Leaf that had an id. */
  holders: ReadonlyMap<string | null, Place<Key>>;
  /** True if a leaf brings an id that its own chapter had. */
  isOwn: (place: Place<Key>) => boolean;
  /** Ids that a chapter will have. */
  brought: ReadonlyMap<MovingSide<Key>, ReadonlySet<string | null>>;
  /** True if a leaf may have left its chapter. */
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
  // Several chapters may have had one: after an older file was put back, or if the chapter's past is unknown.
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

/**
 * Pairs edited leaves, too. A leaf that a chapter's own edits explain has moved only if it is more like a leaf of another
 * chapter than like its own.
 */
function pairByLikeness<Key>({ places, pairs, isGoing, isComing }: Known<Key>): void {
  const olds = places.flatMap(({ was }) => was);
  const news = places.flatMap(({ now }) => now);
  const gone = olds.filter(isGoing);
  const come = news.filter((place) => isComing(place) && place.leaf.blockId === null);
  if (gone.length === 0 || come.length === 0) return;
  if (new Set([...gone, ...come].map(({ side }) => side)).size < 2) return;
  const own = ownLikeness(places, pairs);
  const isFree = (place: Place<Key>) => own.get(place) !== 1;
  const indexes = (all: readonly Place<Key>[], some: readonly Place<Key>[]) => {
    const free = new Set(some.filter(isFree));
    return new Set(all.flatMap((place, at) => (free.has(place) ? [at] : [])));
  };
  const free = { olds: indexes(olds, gone), news: indexes(news, come) };
  if (free.olds.size === 0 || free.news.size === 0) return;
  for (const [oldAt, newAt] of pairAlike(olds.map(paragraph), news.map(paragraph), free)) {
    const [from, to] = [olds[oldAt]!, news[newAt]!]; // indexes of these lists
    const most = Math.max(own.get(from) ?? 0, own.get(to) ?? 0);
    if (from.side !== to.side && likenessOf(from.leaf.text, to.leaf.text) > most) pairs.add(from, to);
  }
}

/**
 * Returns how alike a leaf and its counterpart in its own chapter are; 1 for one that was joined to another. A leaf that
 * is only somewhat like its counterpart is left out.
 */
function ownLikeness<Key>(places: Known<Key>["places"], pairs: Pairs<Key>): Map<Place<Key>, number> {
  const own = new Map<Place<Key>, number>();
  for (const { was, now } of places) {
    const olds = was.filter((place) => !pairs.gone.has(place));
    const news = now.filter((place) => !pairs.come.has(place));
    const { from, into } = reconcile(olds.map(paragraph), news.map(paragraph));
    for (const [newAt, oldAt] of from.entries()) {
      const [one, other] = [olds[oldAt], news[newAt]!]; // one entry a new leaf
      const alike = one === undefined ? 0 : likenessOf(one.leaf.text, other.leaf.text);
      if (one !== undefined && alike > 0) for (const place of [one, other]) own.set(place, alike);
    }
    for (const [oldAt, newAt] of into.entries()) if (newAt >= 0) own.set(olds[oldAt]!, 1); // one entry an old leaf
  }
  return own;
}

const paragraph = <Key>({ leaf: { node, text } }: Place<Key>) => ({ type: node.type, text });

/** Moves of leaves; each side of a pair is used once. */
class Pairs<Key> {
  readonly gone = new Set<Place<Key>>();
  readonly come = new Map<Place<Key>, Place<Key>>();

  add(from: Place<Key>, to: Place<Key>): void {
    if (this.gone.has(from) || this.come.has(to)) return;
    this.gone.add(from);
    this.come.set(to, from);
  }
}

/** Counts how many more or fewer leaves of a text a chapter has than before, without known moves. */
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

/** Returns a leaf's kind and text; for one without text, such as a picture, all of its content. */
function whatItSays({ node: { type, content, attrs }, text }: Leaf): string {
  if (text !== "" || type === "scene_break") return `${type} ${text}`;
  const { blockId: _, ...own } = attrs ?? {};
  return `${type} ${JSON.stringify([content ?? [], own])}`;
}
