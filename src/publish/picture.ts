/** A picture's bytes, with its type and size in pixels by its own header. */
export interface Picture {
  /** Hexadecimal hash or path: the same name means the same bytes. */
  name: string;
  bytes: Uint8Array;
  type: PictureType;
  width: number;
  height: number;
}

/** Types of pictures that a book shows, by media type. */
export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/svg+xml";

/** File name endings by media type. */
export const ENDINGS: Readonly<Record<PictureType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

/** Reads what a picture is by its first bytes; undefined if no reader would show it. */
export function readPicture(name: string, bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0) =>
    text.split("").every((one, i) => bytes[at + i] === one.charCodeAt(0));
  const sized = (type: PictureType, [width = 0, height = 0]: readonly number[]) =>
    width > 0 && height > 0 ? { name, bytes, type, width, height } : undefined;
  if (bytes.length < 30) return undefined;
  if (starts("\x89PNG\r\n\x1a\n")) return sized("image/png", [view.getUint32(16), view.getUint32(20)]);
  if (starts("GIF8")) return sized("image/gif", [view.getUint16(6, true), view.getUint16(8, true)]);
  if (starts("RIFF") && starts("WEBP", 8)) return sized("image/webp", webpSize(view));
  if (starts("\xff\xd8\xff")) return sized("image/jpeg", jpegSize(view));
  const head = new TextDecoder().decode(bytes.subarray(0, 4096));
  return /<svg[\s>]/.test(head) ? sized("image/svg+xml", svgSize(head)) : undefined;
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

function svgSize(head: string): number[] {
  const tag = /<svg\b[^>]*>/.exec(head)?.[0] ?? "";
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const of = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(tag)?.[1];
  return [Number(of("width") ?? box?.[1] ?? 300), Number(of("height") ?? box?.[2] ?? 150)];
}
