import { leavesOf } from "../../../../prose/document/leaves.ts";
import type { DocNode } from "../../../../prose/document/types.ts";
import type { StoredProse } from "../../../../prose/plan.ts";
import { noteContent, paragraphOf } from "../blocks.ts";
import type { View } from "../changes.ts";
import type { LabelOf } from "../inline.ts";
import { paragraphText, type WordDocument } from "../paragraph.ts";
import type { NamedParagraph } from "./assemble.ts";
import { type Baseline, keyOfContent } from "./baseline.ts";
import { wordLikeness } from "./identify.ts";

/** Names of a chapter's footnotes, and those that are written anew; undefined keeps the base's. */
export interface NamedNotes {
  labelOf: LabelOf;
  footnotes: ReadonlyMap<string, DocNode | undefined>;
}

const ALIKE = 0.4;
const ANOTHERS = 0.5;
const SAME = 0.9;

interface Naming {
  base: StoredProse;
  baseline: Baseline;
  word: WordDocument;
  view: View;
  /** Texts of all footnotes that the document was given. */
  noteTexts: readonly string[];
}

/**
 * Names the footnotes that a chapter refers to. A reference in a paragraph of the chapter's is the paragraph's own note,
 * whatever text came back under it: LibreOffice 7.4 mixes up the texts of all notes where a comment stands in the
 * paragraph of one.
 */
export function nameNotes(named: readonly NamedParagraph[], naming: Naming): NamedNotes {
  const { word, baseline, view, noteTexts } = naming;
  const likeness = wordLikeness();
  const textOf = (key: string) => (word.notes.get(key) ?? []).map(paragraphText).join(" ").trim();
  const labels = labelNotes(named, naming, (key, text) => likeness(text, textOf(key)));
  const footnotes = new Map(
    [...labels].map(([key, label]) => {
      const sent = baseline.notes.get(label);
      const content = noteContent(word.notes.get(key) ?? [], view);
      const said = textOf(key);
      const isAnothers = (own: { text: string }) =>
        likeness(own.text, said) < ANOTHERS &&
        noteTexts.some((other) => other !== own.text && likeness(other, said) > SAME);
      // An empty note, or one with another's text, is no edit.
      const isKept =
        sent !== undefined && (content.length === 0 || isAnothers(sent) || isSame(content, sent));
      return [label, isKept ? undefined : footnoteOf(label, content, sent?.ids ?? [])] as const;
    }),
  );
  return { labelOf: (key) => labels.get(key), footnotes };
}

function isSame(content: readonly DocNode[][], { keys }: { keys: readonly string[] }): boolean {
  return keys.length === content.length && content.every((one, at) => keyOfContent(one) === keys[at]);
}

/** Returns the label of each note: the paragraph's own, else that of the most alike, else a new one. */
function labelNotes(
  named: readonly NamedParagraph[],
  { base, baseline, word }: Naming,
  likenessTo: (key: string, text: string) => number,
): Map<string, string> {
  const labels = new Map<string, string>();
  const used = new Set<string>();
  const give = (key: string, label: string | undefined) => {
    if (label === undefined) return;
    labels.set(key, label);
    used.add(label);
  };
  const own = ownReferences(base);
  const keysIn = ({ paragraph: { runs } }: NamedParagraph) =>
    runs.flatMap((run) => (run.type === "note" && word.notes.has(run.key) ? run.key : []));
  for (const one of named) {
    const keys = keysIn(one);
    const known = (own.get(one.id ?? "") ?? []).filter((label) => baseline.notes.has(label));
    if (keys.length === known.length) for (const [at, key] of keys.entries()) give(key, known[at]);
  }
  for (const key of named.flatMap(keysIn)) {
    if (labels.has(key)) continue;
    const free = [...baseline.notes].filter(([label]) => !used.has(label));
    const alike = free.map(([label, { text }]) => ({ label, likeness: likenessTo(key, text) }));
    const [best] = alike.toSorted((one, other) => other.likeness - one.likeness);
    give(key, best !== undefined && best.likeness > ALIKE ? best.label : freshLabel(base, used));
  }
  return labels;
}

function footnoteOf(label: string, content: readonly DocNode[][], ids: readonly string[]): DocNode {
  const paragraphs = (content.length === 0 ? [[{ type: "text", text: "…" }]] : content).map((one, at) => {
    const paragraph = paragraphOf([...one]);
    return { ...paragraph, attrs: { blockId: ids[at] ?? null } };
  });
  return { type: "footnote", attrs: { label }, content: paragraphs };
}

/** Returns the labels to which each leaf refers, by its id. */
function ownReferences({ blocks }: StoredProse): Map<string, string[]> {
  const leaves = blocks.flatMap(({ node }) => (node.type === "footnote" ? [] : leavesOf(node)));
  return new Map(
    leaves.map(({ attrs, content = [] }) => [
      String(attrs?.blockId),
      content.flatMap((node) => (node.type === "footnote_ref" ? String(node.attrs?.label) : [])),
    ]),
  );
}

function freshLabel({ blocks }: StoredProse, used: ReadonlySet<string>): string {
  const taken = new Set([
    ...used,
    ...blocks.flatMap(({ node }) => (node.type === "footnote" ? String(node.attrs?.label) : [])),
  ]);
  let number = 1;
  while (taken.has(String(number))) number++;
  return String(number);
}
