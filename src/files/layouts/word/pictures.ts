import { basename, dirname, join, relative } from "node:path/posix";
import { isNamedAs, PICTURE_TYPES, pictureTypeOf } from "../../../picture-type.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import { BadRequest } from "../../../refusals.ts";
import { type KeptPictures, whyTooLarge } from "../../../service/interchange/pictures.ts";
import { hash } from "../../disk/text-file.ts";
import { isPlaceForPicture } from "../../pictures.ts";
import type { WordDocument, WordPicture } from "./paragraph.ts";

/** All pictures of a document together. */
const MOST_BYTES = 256 * 1024 * 1024;
/** The folder of a document's pictures, beside the chapter. */
const FOLDER = "media";

/** A picture's hash and the usual ending of its name, or why it is left out. */
type Known = Taken | { why: string };

interface Taken {
  digest: string;
  ending: string;
}

/** The pictures of a document on their way into a book: each gets a place there that no other picture has. */
export class PictureReader {
  /** Pictures that the book lacks, by their places. */
  readonly taken = new Map<string, () => Buffer>();
  /** Paths of pictures of the book that came back with other bytes. */
  readonly altered = new Set<string>();
  readonly #media: WordDocument["media"];
  readonly #kept: KeptPictures | undefined;
  readonly #isOneOfMany: boolean;
  readonly #known = new Map<string, Known>();
  readonly #places = new Map<string, string>();
  readonly #left = new Map<string, string>();
  #bytes = 0;

  /** Each of many documents has a picture called `image1`: there, every name has a part of the hash. */
  constructor(
    { media }: Pick<WordDocument, "media">,
    { kept, isOneOfMany = false }: { kept?: KeptPictures; isOneOfMany?: boolean },
  ) {
    this.#media = media;
    this.#kept = kept;
    this.#isOneOfMany = isOneOfMany;
  }

  /** Returns the hash of the picture that a book keeps at a place. */
  hashAt(place: string): string | undefined {
    return this.#places.get(place) ?? this.#kept?.hashAt(place);
  }

  /** Pictures that are left out, with the reasons, in words. */
  left(): string[] {
    return [...this.#left].map(([name, why]) => `${name}: ${why}`);
  }

  /** Returns the hash of a picture's bytes; undefined for one that cannot be taken in. */
  hashOf({ part }: WordPicture): string | undefined {
    const known = this.#look(part);
    return "digest" in known ? known.digest : undefined;
  }

  /** Returns a picture as a node of a chapter; undefined for one that is left out. */
  imageOf({ part, alt }: WordPicture, chapterFile: string | null): DocNode | undefined {
    const known = this.#look(part);
    if ("why" in known) {
      this.#left.set(basename(part), known.why);
      return undefined;
    }
    const folder = dirname(chapterFile ?? "");
    const place = this.#kept?.fileOf(known.digest) ?? this.#place(part, known, folder);
    return imageNode({ path: escapedPath(relative(folder, place)), alt });
  }

  #place(part: string, { digest, ending }: Taken, folder: string): string {
    const stem = basename(part)
      .toLowerCase()
      .replace(/\.[a-z]+$/, "");
    const plain = stem.replace(/[^\p{L}\p{N}_-]+/gu, "-");
    const names = [
      ...(this.#isOneOfMany ? [] : [`${plain}.${ending}`]),
      `${plain}-${digest.slice(0, 8)}.${ending}`,
      `${digest}.${ending}`,
    ];
    const places = names.map((name) => join(folder, FOLDER, name));
    const isFree = (place: string) => isPlaceForPicture(place) && (this.hashAt(place) ?? digest) === digest;
    const place = places.find(isFree) ?? places.at(-1)!; // there are three
    if (this.hashAt(place) === undefined) this.taken.set(place, () => this.#read(part));
    this.#places.set(place, digest);
    return place;
  }

  #look(part: string): Known {
    const known = this.#known.get(part) ?? this.#examine(part);
    this.#known.set(part, known);
    return known;
  }

  #examine(part: string): Known {
    const sizeBytes = this.#media.sizeOf(part);
    if (sizeBytes === undefined) return { why: "it is not in the document" };
    const why = whyTooLarge(sizeBytes);
    if (why !== undefined) return { why };
    this.#bytes += sizeBytes;
    if (this.#bytes > MOST_BYTES)
      return { why: `the pictures of one document may have ${MOST_BYTES / 2 ** 20} MiB together` };
    try {
      const bytes = this.#read(part);
      const type = pictureTypeOf(bytes);
      if (type === undefined) return { why: "it is not a picture of a type that the manuscript keeps" };
      const [usual = ""] = PICTURE_TYPES[type].endings;
      const own = isNamedAs(type, part) ? part.replace(/^.*\./, "").toLowerCase() : usual;
      return { digest: hash(bytes), ending: own };
    } catch (error) {
      if (error instanceof BadRequest) return { why: "it is damaged" };
      throw error;
    }
  }

  #read(part: string): Buffer {
    const bytes = this.#media.readAlone(part) ?? new Uint8Array();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

/** Returns the node of a picture. */
export function imageNode({ path, alt }: { path: string; alt: string }): DocNode {
  return { type: "image", attrs: { src: path, alt: alt === "" ? null : alt, title: null } };
}

function escapedPath(path: string): string {
  return encodeURI(path).replace(/[()#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
