import type { DocNode } from "../../../../prose/document/types.ts";
import { readPictureTag } from "../../../../publish/picture.ts";
import { decodedPath, linkedPlace } from "../../../../service/interchange/pictures.ts";
import type { WordParagraph, WordPicture } from "../paragraph.ts";
import { imageNode, type PictureReader } from "../pictures.ts";

/** A picture of a leaf, as Word was given it. */
export interface OwnPicture {
  path: string;
  alt: string;
  /** Its node within a paragraph. */
  node: DocNode;
}

/** Returns the pictures of a leaf, in order. */
export function ownPictures({ type, content = [] }: DocNode): OwnPicture[] {
  if (type === "raw_block") {
    const own = readPictureTag(content.map(({ text }) => text ?? "").join(""));
    return own === undefined ? [] : [{ ...own, node: imageNode(own) }];
  }
  return content.flatMap((node): OwnPicture[] => {
    if (node.type === "image")
      return [{ path: String(node.attrs?.src), alt: String(node.attrs?.alt ?? ""), node }];
    const own = node.type === "raw_inline" ? readPictureTag(String(node.attrs?.text)) : undefined;
    return own === undefined ? [] : [{ ...own, node }];
  });
}

/** The pictures of a chapter that came back. */
export class ReturnedPictures {
  readonly #reader: PictureReader;
  readonly #file: string | null;

  /** `file` is the chapter's, to which its pictures' paths are relative. */
  constructor(reader: PictureReader, file: string | null) {
    this.#reader = reader;
    this.#file = file;
  }

  /** Returns the node of a picture that the leaf of its paragraph does not have. */
  imageOf(picture: WordPicture): DocNode | undefined {
    return this.#reader.imageOf(picture, this.#file);
  }

  /**
   * Returns which pictures of a leaf a paragraph's are: by the name that they were given, else by their bytes, else by
   * their words. Other programs rename them and write them anew.
   */
  known(leaf: DocNode | undefined, { runs }: WordParagraph): Map<WordPicture, DocNode> {
    const known = new Map<WordPicture, DocNode>();
    let rest = leaf === undefined ? [] : ownPictures(leaf);
    if (rest.length === 0) return known;
    const pictures = runs.flatMap((run) => (run.type === "picture" ? run.picture : []));
    const hashOf = ({ path }: OwnPicture) =>
      this.#reader.hashAt(linkedPlace(this.#file ?? "", decodedPath(path)));
    const signs: ((picture: WordPicture, own: OwnPicture) => boolean)[] = [
      ({ name }, { path }) => name === path,
      (picture, own) => hashOf(own) !== undefined && hashOf(own) === this.#reader.hashOf(picture),
      ({ alt }, own) => alt !== "" && alt === own.alt,
    ];
    for (const isSame of signs)
      for (const picture of pictures) {
        const own = known.has(picture) ? undefined : rest.find((one) => isSame(picture, one));
        if (own === undefined) continue;
        known.set(picture, own.node);
        rest = rest.filter((one) => one !== own);
        if (hashOf(own) !== this.#reader.hashOf(picture)) this.#reader.altered.add(own.path);
      }
    return known;
  }

  /** True if a paragraph has a picture that its leaf does not have. */
  hasNew(leaf: DocNode | undefined, paragraph: WordParagraph): boolean {
    const known = this.known(leaf, paragraph);
    return paragraph.runs.some(
      (run) => run.type === "picture" && !known.has(run.picture) && this.imageOf(run.picture) !== undefined,
    );
  }
}
