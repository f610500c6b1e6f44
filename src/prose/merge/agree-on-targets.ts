import { judge, type Side } from "../../three-way.ts";

/** Prose with link definitions between the blocks, and before the first. */
interface Defining {
  head: string;
  blocks: readonly { gap: string }[];
}

const DEFINITION = /^ {0,3}\[([^\]\n]+)\]:[^\n]*$/gm;

/**
 * Gives all three sides of a chapter the same line for each link definition that only one side has changed, so that
 * only its place is left to merge. A label that a side defines twice, or not at all, stays as it is. O(text).
 */
export function agreeOnTargets<Chapters extends Record<"base" | Side, Defining>>(sides: Chapters): Chapters {
  const [before, incoming, stored] = [sides.base, sides.incoming, sides.stored].map(linesOf);
  const agreed = new Map<string, string>();
  for (const [label, base] of before ?? []) {
    const [one, other] = [incoming?.get(label), stored?.get(label)];
    if (base === undefined || one === undefined || other === undefined) continue;
    const verdict = judge({ base, incoming: one, stored: other });
    if (verdict !== "conflict") agreed.set(label, verdict === "stored" ? other : one);
  }
  if (agreed.size === 0) return sides;
  const agree = (text: string) =>
    text.replace(DEFINITION, (line, label: string) => agreed.get(label) ?? line);
  const rewritten = <Prose extends Defining>(prose: Prose): Prose => ({
    ...prose,
    head: agree(prose.head),
    blocks: prose.blocks.map((block) =>
      block.gap.includes("]:") ? { ...block, gap: agree(block.gap) } : block,
    ),
  });
  return {
    ...sides,
    base: rewritten(sides.base),
    incoming: rewritten(sides.incoming),
    stored: rewritten(sides.stored),
  };
}

/** Maps each label to its defining line; undefined for one that is defined twice. */
function linesOf({ head, blocks }: Defining): Map<string, string | undefined> {
  const lines = new Map<string, string | undefined>();
  for (const text of [head, ...blocks.map(({ gap }) => gap)]) {
    if (!text.includes("]:")) continue;
    for (const [line, label = ""] of text.matchAll(DEFINITION))
      lines.set(label, lines.has(label) ? undefined : line);
  }
  return lines;
}
