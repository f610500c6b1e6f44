import { definitionsOf } from "../../../../prose/definitions.ts";
import { leafIds, leavesOf, mapLeaves } from "../../../../prose/document/leaves.ts";
import type { DocNode, SourceBlock } from "../../../../prose/document/types.ts";
import { joinBlocks } from "../../../../prose/join-blocks.ts";
import type { NewProse, StoredProse } from "../../../../prose/plan.ts";
import { writeBlock, writeChapter } from "../../../../prose/write.ts";
import { CODE, DocumentBuilder, isSceneBreak } from "../blocks.ts";
import type { ShownParagraph } from "../changes.ts";
import { inlineOf, type LabelOf } from "../inline.ts";
import type { WordParagraph } from "../paragraph.ts";
import { type Baseline, codeText, keyOfParagraph, type SentLeaf } from "./baseline.ts";

/** A paragraph of the edited document, and the leaf of the chapter that it continues. */
export interface NamedParagraph {
  paragraph: ShownParagraph;
  id: string | undefined;
}

/** A block of the chapter to be, and the base's block whose place it takes. */
interface Piece {
  /** Index of the base's block. */
  place: number | undefined;
  block: SourceBlock;
}

/**
 * Returns a chapter as the edited document has it: the very bytes of the base where a paragraph reads as Word was given
 * it, and in their places what Word was not given. `labelOf` names footnotes, `footnotes` are those that it writes anew,
 * by label; undefined keeps the base's.
 */
export function assemble(
  base: StoredProse,
  baseline: Baseline,
  named: readonly NamedParagraph[],
  { labelOf, footnotes }: { labelOf: LabelOf; footnotes: ReadonlyMap<string, DocNode | undefined> },
): NewProse {
  const pieces = new ChapterPieces(base, baseline, labelOf).assemble(named);
  const all = withFootnotes(withUnsent(pieces, base, baseline), base, baseline, footnotes);
  const blocks = all.map(({ block }) => (block.gap.length < 2 ? { ...block, gap: "\n\n" } : block));
  const last = blocks.at(-1);
  if (last !== undefined) blocks[blocks.length - 1] = { ...last, gap: base.blocks.at(-1)?.gap ?? "\n" };
  const { bom, eol, head } = base;
  const written = joinBlocks({ head, blocks }) ?? { head, blocks };
  return { bom, eol, ...written };
}

class ChapterPieces {
  readonly #base: StoredProse;
  readonly #labelOf: LabelOf;
  readonly #definitions: string;
  readonly #sent: ReadonlyMap<string, SentLeaf>;
  /** Ids of the leaves of each of the base's blocks that were sent. */
  readonly #ids: readonly string[][];
  readonly #places = new Map<string, number>();

  constructor(base: StoredProse, { leaves }: Baseline, labelOf: LabelOf) {
    this.#base = base;
    this.#labelOf = labelOf;
    this.#definitions = definitionsOf(base);
    this.#sent = new Map(leaves.map((leaf) => [leaf.id, leaf]));
    this.#ids = base.blocks.map(
      (block) => leafIds([block]).filter((id) => id !== null && this.#sent.has(id)) as string[],
    );
    for (const [place, ids] of this.#ids.entries()) for (const id of ids) this.#places.set(id, place);
  }

  assemble(named: readonly NamedParagraph[]): Piece[] {
    const pieces: Piece[] = [];
    let loose: NamedParagraph[] = [];
    const flush = () => {
      for (const block of this.#write(loose)) pieces.push({ place: undefined, block });
      loose = [];
    };
    for (let at = 0; at < named.length; ) {
      const one = named[at]!; // within the list
      const place = one.id === undefined ? undefined : this.#places.get(one.id);
      const ids = place === undefined ? [] : this.#ids[place]!; // a place of the base
      const here = named.slice(at, at + ids.length);
      if (place === undefined || !ids.every((id, step) => here[step]?.id === id)) {
        loose.push(one);
        at++;
        continue;
      }
      flush();
      pieces.push({ place, block: this.#inPlace(place, here) });
      at += ids.length;
    }
    flush();
    return pieces;
  }

  /** Returns a block of the base with the texts that were edited. */
  #inPlace(place: number, named: readonly NamedParagraph[]): SourceBlock {
    const block = this.#base.blocks[place]!; // a place of the base
    const edited = new Map(
      named.flatMap(({ id, paragraph }) => (this.#isAsSent(id, paragraph) ? [] : [[id, paragraph] as const])),
    );
    if (edited.size === 0) return block;
    const node = mapLeaves(block.node, (leaf) => {
      const paragraph = edited.get(leaf.attrs?.blockId as string);
      return paragraph === undefined ? leaf : this.#edited(leaf, paragraph);
    });
    return { node, source: writeBlock(node, this.#definitions), gap: block.gap };
  }

  #isAsSent(id: string | undefined, paragraph: WordParagraph): boolean {
    return this.#sent.get(id ?? "")?.keys.includes(keyOfParagraph(paragraph)) === true;
  }

  #edited(leaf: DocNode, paragraph: ShownParagraph): DocNode {
    if (isSceneBreak(paragraph))
      return { type: "scene_break", attrs: { blockId: leaf.attrs?.blockId, markup: "* * *" } };
    if (leaf.type === "code_block")
      return { ...leaf, content: [{ type: "text", text: codeText(paragraph) }] };
    const content = withPictures(inlineOf(paragraph.runs, this.#labelOf), leaf);
    if (leaf.type === "scene_break")
      return { type: "paragraph", attrs: { blockId: leaf.attrs?.blockId }, content };
    return { ...leaf, content };
  }

  /** Writes paragraphs that stand in no block of the base as it was. */
  #write(named: readonly NamedParagraph[]): SourceBlock[] {
    const ids = new Map(
      named.flatMap(({ id, paragraph: { sources } }) =>
        id === undefined ? [] : sources.map((source) => [source, id] as const),
      ),
    );
    const builder = new DocumentBuilder(this.#labelOf, ids);
    for (const { id, paragraph } of named)
      builder.add(id === undefined ? paragraph : this.#inForm(id, paragraph));
    return writeChapter(builder.nodes()).map((block) => ({ ...block, gap: "\n\n" }));
  }

  /** A heading stays one, whatever its style is called now. */
  #inForm(id: string, paragraph: ShownParagraph): ShownParagraph {
    const place = this.#places.get(id);
    const leaf =
      place === undefined
        ? undefined
        : leavesOf(this.#base.blocks[place]!.node).find(({ attrs }) => attrs?.blockId === id); // as above
    if (leaf?.type === "heading") return { ...paragraph, level: Number(leaf.attrs?.level) };
    return CODE.test(paragraph.style)
      ? paragraph
      : { ...paragraph, level: leaf === undefined ? paragraph.level : undefined };
  }
}

/** Puts the pictures of a leaf, and its comments, back into its edited content: where their words are, else at the end. */
function withPictures(content: readonly DocNode[], leaf: DocNode): DocNode[] {
  let made = [...content];
  for (const node of leaf.content ?? []) {
    const isRemark = node.type === "raw_inline" && /^<!--/.test(String(node.attrs?.text));
    if (node.type !== "image" && !isRemark) continue;
    const words = `[${String(node.attrs?.alt || node.attrs?.src)}]`;
    const at = isRemark ? -1 : made.findIndex(({ text }) => text?.includes(words));
    const text = made[at]?.text ?? "";
    const from = text.indexOf(words);
    const around = made[at];
    const cut = (part: string): DocNode[] =>
      part === "" || around === undefined ? [] : [{ ...around, text: part }];
    made =
      at < 0
        ? [...made, node]
        : [
            ...made.slice(0, at),
            ...cut(text.slice(0, from)),
            node,
            ...cut(text.slice(from + words.length)),
            ...made.slice(at + 1),
          ];
  }
  return made;
}

/** Puts back what was never sent, such as HTML: its absence says nothing. */
function withUnsent(pieces: readonly Piece[], base: StoredProse, { leaves }: Baseline): Piece[] {
  const sent = new Set(leaves.map(({ id }) => id));
  const all = [...pieces];
  for (const [place, block] of base.blocks.entries()) {
    if (block.node.type === "footnote") continue;
    const isSent = leavesOf(block.node).some(({ attrs }) => sent.has(String(attrs?.blockId)));
    if (!isSent) putBack(all, { place, block });
  }
  return all;
}

/** Puts a block behind the piece that stands before it in the base. */
function putBack(pieces: Piece[], piece: Piece): void {
  const at = pieces.findLastIndex(({ place }) => place !== undefined && place < (piece.place ?? 0));
  pieces.splice(at + 1, 0, piece);
}

/** Puts the footnotes back that are still referred to, and those that nothing referred to before either. */
function withFootnotes(
  pieces: readonly Piece[],
  base: StoredProse,
  { notes }: Baseline,
  footnotes: ReadonlyMap<string, DocNode | undefined>,
): Piece[] {
  const all = [...pieces];
  const known = new Set<string>();
  const isFootnote = ({ node }: SourceBlock) => node.type === "footnote";
  const end = base.blocks.findLastIndex((block) => !isFootnote(block));
  for (const [place, block] of base.blocks.entries()) {
    const label = String(block.node.attrs?.label);
    if (!isFootnote(block) || known.has(label)) continue;
    known.add(label);
    if (!footnotes.has(label) && notes.has(label)) continue;
    const node = footnotes.get(label);
    const piece = {
      place,
      block: node === undefined ? block : { node, source: writeBlock(node), gap: block.gap },
    };
    if (place > end) all.push(piece);
    else putBack(all, piece);
  }
  for (const [label, node] of footnotes)
    if (!known.has(label) && node !== undefined)
      all.push({ place: undefined, block: { node, source: writeBlock(node), gap: "\n\n" } });
  return all;
}
