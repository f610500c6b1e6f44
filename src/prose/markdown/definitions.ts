import type { SourceBlock } from "../document/types.ts";
import { listReferences } from "./parser.ts";

const CONTAINERS: ReadonlySet<string> = new Set(["blockquote", "bullet_list", "ordered_list", "footnote"]);

/** Whether a stretch of Markdown may hold link reference definitions; cheap, and true for some that hold none. */
export function hasDefinitions(markdown: string): boolean {
  return markdown.includes("]:");
}

/**
 * The Markdown of a chapter that may define links for all of it: its head, the gaps, and quotes, lists and footnotes as
 * a whole. In reading order, because the first definition of a label wins.
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

/** The same where they may stand by themselves: out of the quotes, lists and footnotes that hold some. In reading order. */
export function looseDefinitions(chapter: Parameters<typeof definitionsOf>[0]): string[] {
  const all = chapter.blocks.flatMap((block) => [...innerDefinitions(block), block.gap]);
  return [chapter.head, ...all].filter(hasDefinitions).map((definition) => definition.trim());
}

/** The definitions inside a block, each as a line of its own, in the spelling of the block's labels. */
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

/** A gap with more definitions in it, at its end: there they define no label anew. */
export function addDefinitions(gap: string, definitions: readonly string[]): string {
  if (definitions.length === 0) return gap;
  return `${widen(gap).trimEnd() || "\n"}\n${definitions.join("\n")}\n`;
}

/** The gap behind a block with definitions that stood in the block, at its start: they still come before its others. */
export function keepDefinitions(gap: string, definitions: readonly string[]): string {
  if (definitions.length === 0) return gap;
  return `\n\n${definitions.join("\n")}\n${gap.replace(/^\s*[\n\r]/, "")}`;
}

/** A gap with blank lines around whatever it holds. */
export function widen(gap: string): string {
  const inner = gap.replace(/^\s*[\n\r]/, "").trimEnd();
  return inner === "" ? "\n\n" : `\n\n${inner}\n\n`;
}
