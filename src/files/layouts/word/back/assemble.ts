import { definitionsOf } from "../../../../prose/definitions.ts";
import {
  type HeldLeaf,
  heldLeaves,
  isLeaf,
  leafIds,
  leavesOf,
  mapLeaves,
} from "../../../../prose/document/leaves.ts";
import type { DocNode, SourceBlock } from "../../../../prose/document/types.ts";
import { joinBlocks } from "../../../../prose/join-blocks.ts";
import type { NewProse, StoredProse } from "../../../../prose/plan.ts";
import { writeBlock, writeChapter } from "../../../../prose/write.ts";
import { append } from "../../../../text/extremes.ts";
import { CODE, DocumentBuilder, isSceneBreak } from "../blocks.ts";
import type { ShownParagraph } from "../changes.ts";
import { type ImageOf, inlineOf, type LabelOf } from "../inline.ts";
import type { WordParagraph } from "../paragraph.ts";
import { type Baseline, codeText, keyOfParagraph, type SentLeaf } from "./baseline.ts";
import { ownPictures, type ReturnedPictures } from "./own-pictures.ts";
import { holdersBehind, regroup, withLeft } from "./regroup.ts";

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

/** Footnotes and pictures of a chapter that is put together. */
interface Assembling {
  labelOf: LabelOf;
  footnotes: ReadonlyMap<string, DocNode | undefined>;
  pictures: ReturnedPictures;
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
  { labelOf, footnotes, pictures }: Assembling,
): NewProse {
  const pieces = new ChapterPieces(base, baseline, { labelOf, pictures }).assemble(named);
  const all = withFootnotes(withUnsent(pieces, base, baseline), base, baseline, footnotes);
  if (all.length === base.blocks.length && all.every(({ block }, at) => block === base.blocks[at]))
    return base;
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
  readonly #pictures: ReturnedPictures;
  readonly #leaves: ReadonlyMap<string, DocNode>;
  readonly #definitions: string;
  readonly #sent: ReadonlyMap<string, SentLeaf>;
  /** Ids of the leaves of each of the base's blocks that were sent. */
  readonly #ids: readonly string[][];
  readonly #places = new Map<string, number>();

  constructor(
    base: StoredProse,
    { leaves }: Baseline,
    { labelOf, pictures }: Pick<Assembling, "labelOf" | "pictures">,
  ) {
    this.#base = base;
    this.#labelOf = labelOf;
    this.#pictures = pictures;
    const all = base.blocks.flatMap(({ node }) => leavesOf(node));
    this.#leaves = new Map(all.map((leaf) => [String(leaf.attrs?.blockId), leaf]));
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
      const place = this.#placeOf(one);
      const own = place === undefined ? [one] : this.#stretch(place, named, at);
      const block = place === undefined ? undefined : this.#inPlace(place, own);
      if (block === undefined) append(loose, own);
      else {
        flush();
        pieces.push({ place, block });
      }
      at += own.length;
    }
    flush();
    return pieces;
  }

  #placeOf({ id }: NamedParagraph): number | undefined {
    return id === undefined ? undefined : this.#places.get(id);
  }

  /** Returns the paragraphs from here to the last of a list or quote, with the new ones among them. */
  #stretch(place: number, named: readonly NamedParagraph[], from: number): readonly NamedParagraph[] {
    let to = from + 1;
    if (isLeaf(this.#base.blocks[place]!.node)) return named.slice(from, to); // a place of the base
    for (let at = to; at < named.length; at++) {
      const other = this.#placeOf(named[at]!); // within the list
      if (other === place) to = at + 1;
      else if (other !== undefined) break;
    }
    return named.slice(from, to);
  }

  /**
   * Returns a block of the base with the paragraphs that it has now; undefined if there are new ones that do not look
   * like it.
   */
  #inPlace(place: number, named: readonly NamedParagraph[]): SourceBlock | undefined {
    const block = this.#base.blocks[place]!; // a place of the base
    const ids = this.#ids[place]!; // as above
    if (named.length !== ids.length || named.some(({ id }, at) => id !== ids[at]))
      return this.#restructured(block, named);
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

  #restructured({ node, gap }: SourceBlock, named: readonly NamedParagraph[]): SourceBlock | undefined {
    const known = new Map(heldLeaves(node).map((held) => [held.leaf.attrs?.blockId, held]));
    const leaves: HeldLeaf[] = [];
    for (const { id, paragraph } of named) {
      const own = id === undefined ? undefined : known.get(id);
      if (own !== undefined) {
        const leaf = this.#isAsSent(id, paragraph) ? own.leaf : this.#edited(own.leaf, paragraph);
        leaves.push({ ...own, leaf });
        continue;
      }
      const holders = leaves.length === 0 ? undefined : holdersBehind(leaves.at(-1)!, paragraph); // there is one
      const [made, ...others] = this.#nodes([{ id, paragraph }]).flatMap(leavesOf);
      if (holders === undefined || made === undefined || others.length > 0) return undefined;
      leaves.push({ leaf: made, holders });
    }
    const all = withLeft(leaves, node, ({ attrs }) => this.#sent.has(String(attrs?.blockId)));
    const [made, ...others] = regroup(all);
    if (made === undefined || others.length > 0) return undefined;
    return { node: made, source: writeBlock(made, this.#definitions), gap };
  }

  #isAsSent(id: string | undefined, paragraph: WordParagraph): boolean {
    const isSame = this.#sent.get(id ?? "")?.keys.includes(keyOfParagraph(paragraph)) === true;
    return isSame && !this.#pictures.hasNew(this.#leaves.get(id ?? ""), paragraph);
  }

  #edited(leaf: DocNode, paragraph: ShownParagraph): DocNode {
    if (isSceneBreak(paragraph))
      return { type: "scene_break", attrs: { blockId: leaf.attrs?.blockId, markup: "* * *" } };
    if (leaf.type === "code_block")
      return { ...leaf, content: [{ type: "text", text: codeText(paragraph) }] };
    const known = this.#pictures.known(leaf, paragraph);
    const imageOf: ImageOf = (picture) => known.get(picture) ?? this.#pictures.imageOf(picture);
    const content = withPictures(inlineOf(paragraph.runs, this.#labelOf, imageOf), leaf);
    if (leaf.type === "scene_break" || leaf.type === "raw_block")
      return { type: "paragraph", attrs: { blockId: leaf.attrs?.blockId }, content };
    return { ...leaf, content };
  }

  /** Writes paragraphs that stand in no block of the base as it was. */
  #write(named: readonly NamedParagraph[]): SourceBlock[] {
    return writeChapter(this.#nodes(named)).map((block) => ({ ...block, gap: "\n\n" }));
  }

  #nodes(named: readonly NamedParagraph[]): DocNode[] {
    const ids = new Map(
      named.flatMap(({ id, paragraph: { sources } }) =>
        id === undefined ? [] : sources.map((source) => [source, id] as const),
      ),
    );
    const known = new Map(
      named.flatMap(({ id, paragraph }) => [...this.#pictures.known(this.#leaves.get(id ?? ""), paragraph)]),
    );
    const imageOf: ImageOf = (picture) => known.get(picture) ?? this.#pictures.imageOf(picture);
    const builder = new DocumentBuilder({ labelOf: this.#labelOf, imageOf }, ids);
    for (const { id, paragraph } of named)
      builder.add(id === undefined ? paragraph : this.#inForm(id, paragraph));
    return builder.nodes();
  }

  /** A heading stays one, whatever its style is called now. */
  #inForm(id: string, paragraph: ShownParagraph): ShownParagraph {
    const leaf = this.#leaves.get(id);
    if (leaf?.type === "heading") return { ...paragraph, level: Number(leaf.attrs?.level) };
    return CODE.test(paragraph.style)
      ? paragraph
      : { ...paragraph, level: leaf === undefined ? paragraph.level : undefined };
  }
}

/**
 * Puts the pictures of a leaf that the content lacks, and its comments, back into it: where their words are, else at the
 * end. Programs drop pictures, so that the absence of one says nothing unless another stands there.
 */
function withPictures(content: readonly DocNode[], leaf: DocNode): DocNode[] {
  let made = [...content];
  const own = new Map(ownPictures(leaf).map((picture) => [picture.node, picture]));
  const isReplaced = content.some((node) => node.type === "image" && !own.has(node));
  const nodes = leaf.type === "raw_block" ? [...own.keys()] : (leaf.content ?? []);
  for (const node of nodes) {
    const picture = own.get(node);
    const isRemark = node.type === "raw_inline" && /^<!--/.test(String(node.attrs?.text));
    if (content.includes(node) || (picture === undefined && !isRemark)) continue;
    const words = picture && `[${picture.alt || picture.path}]`;
    const at = words === undefined ? -1 : made.findIndex(({ text }) => text?.includes(words));
    if (at >= 0 && words !== undefined) made = inPlaceOf(made, { at, words }, node);
    else if (isRemark || !isReplaced) made.push(node);
  }
  return made;
}

/** Puts a node in the place of words within a text. */
function inPlaceOf(
  content: readonly DocNode[],
  { at, words }: { at: number; words: string },
  node: DocNode,
): DocNode[] {
  const around = content[at]!; // the words were found there
  const text = around.text ?? "";
  const from = text.indexOf(words);
  const cut = (part: string): DocNode[] => (part === "" ? [] : [{ ...around, text: part }]);
  return [
    ...content.slice(0, at),
    ...cut(text.slice(0, from)),
    node,
    ...cut(text.slice(from + words.length)),
    ...content.slice(at + 1),
  ];
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
