import { PICTURE_TYPES, type PictureType, pictureTypeOf } from "../picture-type.ts";

/** A picture's bytes, with its type and size in pixels by its own header. */
export interface Picture {
  /** Hexadecimal hash or path: the same name means the same bytes. */
  name: string;
  bytes: Uint8Array;
  type: string;
  /** Ending of a file's name. */
  ending: string;
  width: number;
  height: number;
}

const IMG = /^\s*<img\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))[^>]*>\s*$/i;
const ALT = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** Reads an HTML picture that stands alone. */
export function readPictureTag(html: string): { path: string; alt: string } | undefined {
  const src = IMG.exec(html);
  if (src === null) return undefined;
  const alt = ALT.exec(html);
  return { path: src[1] ?? src[2] ?? src[3] ?? "", alt: alt?.[1] ?? alt?.[2] ?? "" };
}

/** How the size of each type is read; what is not here no reader would show. */
const SIZES: Partial<Record<PictureType, (view: DataView) => readonly number[]>> = {
  png: (view) => [view.getUint32(16), view.getUint32(20)],
  gif: (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  webp: webpSize,
  jpeg: jpegSize,
  svg: svgSize,
};
/** No picture of a type with a size is shorter. */
const LEAST_BYTES = 30;

/** Reads what a picture is by its first bytes; undefined if no reader would show it. */
export function readPicture(name: string, bytes: Uint8Array): Picture | undefined {
  const type = bytes.length < LEAST_BYTES ? undefined : pictureTypeOf(bytes);
  const sizeOf = type && SIZES[type];
  if (type === undefined || sizeOf === undefined) return undefined;
  const [width = 0, height = 0] = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { media, endings } = PICTURE_TYPES[type];
  return width > 0 && height > 0
    ? { name, bytes, type: media, ending: endings[0] ?? "", width, height }
    : undefined;
}

// Source: https://developers.google.com/speed/webp/docs/riff_container.
function webpSize(view: DataView): number[] {
  const format = view.getUint8(15);
  if (format === 0x58) return [24, 27].map((at) => (view.getUint32(at, true) & 0xffffff) + 1); // VP8X
  if (format === 0x4c) return [0, 14].map((shift) => ((view.getUint32(21, true) >> shift) & 0x3fff) + 1); // VP8L
  return [26, 28].map((at) => view.getUint16(at, true) & 0x3fff);
}

/** Walks the segments to the frame's header. */
function jpegSize(view: DataView): number[] {
  for (let at = 2; at + 9 < view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return [];
}

function svgSize({ buffer, byteOffset, byteLength }: DataView): number[] {
  const head = new TextDecoder().decode(new Uint8Array(buffer, byteOffset, Math.min(byteLength, 4096)));
  const tag = /<svg\b[^>]*>/.exec(head)?.[0] ?? "";
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const of = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(tag)?.[1];
  return [Number(of("width") ?? box?.[1] ?? 300), Number(of("height") ?? box?.[2] ?? 150)];
}
