/** A type of picture that a manuscript keeps. */
export type PictureType = "png" | "jpeg" | "gif" | "webp" | "avif" | "bmp" | "tiff" | "svg";

/** Names and first bytes of a type of picture. */
interface Kind {
  /** Media type. */
  media: string;
  /** Endings of names; the first is the usual one. */
  endings: readonly string[];
  /** True for the bytes of one; `head` are the first, a character each. */
  holds: (head: string, bytes: Uint8Array) => boolean;
}

/** The types of pictures that a manuscript keeps. */
export const PICTURE_TYPES: Readonly<Record<PictureType, Kind>> = {
  png: {
    media: "image/png",
    endings: ["png", "apng"],
    holds: (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  },
  jpeg: {
    media: "image/jpeg",
    endings: ["jpg", "jpeg", "jfif"],
    holds: (head) => head.startsWith("\xff\xd8\xff"),
  },
  gif: { media: "image/gif", endings: ["gif"], holds: (head) => /^GIF8[79]a/.test(head) },
  webp: { media: "image/webp", endings: ["webp"], holds: (head) => /^RIFF[\s\S]{4}WEBP/.test(head) },
  avif: { media: "image/avif", endings: ["avif"], holds: (head) => /^[\s\S]{4}ftypavi[fs]/.test(head) },
  bmp: { media: "image/bmp", endings: ["bmp"], holds: (head) => /^BM[\s\S]{12}/.test(head) },
  tiff: { media: "image/tiff", endings: ["tiff", "tif"], holds: (head) => /^(?:II\*\0|MM\0\*)/.test(head) },
  svg: {
    media: "image/svg+xml",
    endings: ["svg"],
    holds: (head, bytes) =>
      /^(?:\xef\xbb\xbf)?\s*<(?:svg|[?!])/.test(head) && SVG.test(new TextDecoder("latin1").decode(bytes)),
  },
};

const SVG = /<svg[\s/>]/;
const HEAD_BYTES = 64;

/** Returns what a picture is, by its first bytes and not by its name; undefined for what a manuscript does not keep. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const head = Array.from(bytes.subarray(0, HEAD_BYTES), (byte) => String.fromCharCode(byte)).join("");
  const names = Object.keys(PICTURE_TYPES) as PictureType[];
  return names.find((name) => PICTURE_TYPES[name].holds(head, bytes));
}

/** True if a file's name has an ending of a type of picture. */
export function isNamedAs(type: PictureType, file: string): boolean {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  return ending !== undefined && PICTURE_TYPES[type].endings.includes(ending);
}
