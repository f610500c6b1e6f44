import { createLinker, type Link } from "../../../reading/cast-names.ts";
import type { ReadingChapter, ReadingFact, Span } from "../../../reading/reading.ts";
import type { WordTally } from "../../../reading/tally.ts";
import { tokenize } from "../../../reading/tokens.ts";
import type { FoundName } from "./names.ts";
import type { BookPeople } from "./people.ts";
import { type BlockSpan, indexPlaces } from "./spans.ts";

/** A known name in a chapter and the fact that it most likely means. */
export interface KnownName extends Link {
  block: number;
  factId: string;
  confidence: number;
  reason: string;
}

const NEAR_CHARACTERS = 200;

/**
 * The known names of a chapter, in order of place. An ambiguous one goes to whose own name it is, else to who is named
 * often and lately.
 */
export function findKnown(
  { blocks }: ReadingChapter,
  cast: readonly ReadingFact[],
  { names, people, total }: { names: readonly FoundName[]; people: BookPeople; total: WordTally },
): KnownName[] {
  if (cast.length === 0) return [];
  const linkerOf = createLinker(cast);
  const links = blocks.flatMap(({ text }, block) =>
    linkerOf(tokenize(text)).map((link) => ({ ...link, block })),
  );
  const choose = chooser(links, blocks, cast);
  const around = indexPlaces(names);
  return links.map((link) => {
    const factId = choose(link);
    return {
      ...link,
      factId,
      ...trust(link, factId, { around: around(link), people, total }),
    };
  });
}

/** The span that an occurrence is shown by. */
export function spanOf({ blocks }: ReadingChapter, { block, from, to }: BlockSpan): Span {
  const { blockId, text } = blocks[block]!; // the index came from these blocks
  return { blockId, from, to, text: text.slice(from, to) };
}

function chooser(
  links: readonly (Link & { block: number })[],
  blocks: ReadingChapter["blocks"],
  cast: readonly ReadingFact[],
): (link: Link & { block: number }) => string {
  const counts = new Map<string, number>();
  for (const { factIds } of links) {
    const [only = "", ...others] = factIds;
    if (others.length === 0) counts.set(only, (counts.get(only) ?? 0) + 1);
  }
  const starts: number[] = [];
  let sum = 0;
  for (const { text } of blocks) {
    starts.push(sum);
    sum += text.length;
  }
  const ownNames = new Map(cast.map(({ id, name }) => [id, name]));
  const lastAt = new Map<string, number>();
  return ({ name, factIds, block, from }) => {
    const at = (starts[block] ?? 0) + from;
    const weigh = (id: string) => {
      const last = lastAt.get(id);
      const near = last === undefined ? 0 : 2000 / (1 + (at - last) / NEAR_CHARACTERS);
      return (ownNames.get(id) === name ? 1_000_000 : 0) + (counts.get(id) ?? 0) + near;
    };
    const [first = "", ...others] = factIds;
    let best = first;
    for (const id of others) if (weigh(id) > weigh(best)) best = id;
    lastAt.set(best, at);
    return best;
  };
}

function trust(
  link: Link,
  factId: string,
  { around, people, total }: { around: readonly FoundName[]; people: BookPeople; total: WordTally },
): { confidence: number; reason: string } {
  const { from, to, factIds, atStart, isSmall, name } = link;
  const outer = around.find(
    (found) => found.from <= from && to <= found.to && found.to - found.from > to - from,
  );
  if (
    outer !== undefined &&
    people.characters.get(outer.key)?.owner !== factId &&
    people.characters.has(outer.key)
  ) {
    const text = outer.words.map((word) => word.text).join(" ");
    return { confidence: 0.35, reason: `"${name}" stands within the longer name "${text}".` };
  }
  if (factIds.length > 1)
    return {
      confidence: 0.5,
      reason: `"${name}" may mean ${factIds.length} facts; this one is named nearest.`,
    };
  if (isSmall) return { confidence: 0.75, reason: `"${name}" is a known name without a capital.` };
  const lower = atStart === null ? 0 : (total.lower.get(atStart) ?? 0);
  if (lower > (total.capital.get(atStart ?? "")?.middle ?? 0)) {
    return { confidence: 0.4, reason: `"${name}" begins a sentence and is a common word too.` };
  }
  return { confidence: 0.97, reason: `A known name or alias of this fact alone.` };
}
