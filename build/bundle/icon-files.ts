/** A square PNG. */
export interface Picture {
  /** Width and height in pixels, at most 256 in an .ico. */
  side: number;
  png: Uint8Array;
}

/** An icon for Windows. Source: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10). */
export function ico(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2); // an icon, no cursor
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { side, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(side % 256, at); // 0 is 256
    head.writeUInt8(side % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6); // bits a pixel
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** The types of an .icns that are PNGs, by their side. Source: https://en.wikipedia.org/wiki/Apple_Icon_Image_format. */
const ICNS_TYPES: Readonly<Record<number, string>> = { 32: "ic11", 128: "ic07", 256: "ic08", 512: "ic09" };

/** An icon for macOS, of the pictures that it knows a type for. */
export function icns(pictures: readonly Picture[]): Buffer {
  const parts = pictures.flatMap(({ side, png }) => {
    const type = ICNS_TYPES[side];
    return type === undefined ? [] : [chunk(type, png)];
  });
  return chunk("icns", Buffer.concat(parts));
}

function chunk(type: string, bytes: Uint8Array): Buffer {
  const head = Buffer.from(`${type}0000`);
  head.writeUInt32BE(head.length + bytes.length, 4);
  return Buffer.concat([head, bytes]);
}
