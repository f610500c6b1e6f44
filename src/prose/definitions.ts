import type { SourceBlock } from "./document/types.ts";
import { listReferences } from "./markdown/parser.ts";

const CONTAINERS: ReadonlySet<string> = new Set(["blockquote", "bullet_list", "ordered_list", "footnote"]);

/** True if Markdown may hold link reference definitions. Fast, and sometimes true without any. */
export function hasDefinitions(markdown: string): boolean {
  return markdown.includes("]:");
}

/**
 * Returns the Markdown of a chapter that may define links: its head, the gaps, and whole quotes, lists and footnotes.
 * In reading order, because the first definition of a label wins.
 */
export function definitionsOf(chapter: {
  head: string;
  blocks: readonly Pick<SourceBlock, "node" | "source" | "gap">[];
}): string {
  const parts = hasDefinitions(chapter.head) ? [chapter.head] : [];
  for (const { node, source, gap } of chapter.blocks) {
    if (CONTAINERS.has(node.type) && hasDefinitions(source)) parts.push(source);
    if (hasDefinitions(gap)) parts.push(gap);
  }
  return parts.join("\n\n").replace(/\r\n?/g, "\n"); // a file may mix its line ends
}

/** Returns the definitions of a chapter, taken out of its quotes, lists and footnotes. In reading order. */
export function looseDefinitions(chapter: Parameters<typeof definitionsOf>[0]): string[] {
  const all = chapter.blocks.flatMap((block) => [...innerDefinitions(block), block.gap]);
  return [chapter.head, ...all].filter(hasDefinitions).map((definition) => definition.trim());
}

/** Returns the definitions inside a block, each on a line of its own, with labels spelt as in the block. */
export function innerDefinitions(block: Pick<SourceBlock, "node" | "source">): string[] {
  if (!CONTAINERS.has(block.node.type) || !hasDefinitions(block.source)) return [];
  const found = Object.entries(listReferences(block.source));
  const labels = Array.from(block.source.matchAll(/\[((?:[^\]\\\n]|\\.)+)\]:/g), ([, label = ""]) => label);
  const spelt = new Map<string, string>();
  for (const name of new Set(labels)) {
    const [label] = Object.keys(listReferences(`[${name}]: x`));
    if (label !== undefined && !spelt.has(label)) spelt.set(label, name);
  }
  return found.map(([label, { href, title }]) => {
    return `[${spelt.get(label) ?? label}]: <${href}>${title ? ` "${title.replace(/["\\]/g, "\\$&")}"` : ""}`;
  });
}

/** Adds definitions at the end of a gap, where they override no earlier one. */
export function addDefinitions(gap: string, definitions: readonly string[]): string {
  if (definitions.length === 0) return gap;
  return `${widen(gap).trimEnd() || "\n"}\n${definitions.join("\n")}\n`;
}

/** Adds definitions from a block to the start of the gap behind it, where they still precede the gap's own. */
export function keepDefinitions(gap: string, definitions: readonly string[]): string {
  if (definitions.length === 0) return gap;
  return `\n\n${definitions.join("\n")}\n${gap.replace(/^\s*[\n\r]/, "")}`;
}

/** Returns a gap with blank lines around its content. */
export function widen(gap: string): string {
  const inner = gap.replace(/^\s*[\n\r]/, "").trimEnd();
  return inner === "" ? "\n\n" : `\n\n${inner}\n\n`;
}
