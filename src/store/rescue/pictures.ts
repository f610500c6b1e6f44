import type { PageImage, Remains } from "../file/remains.ts";
import { hashOfPicture, type NewPicture } from "../rows/pictures.ts";
import type { CopyRows } from "./candidates.ts";
import { pageKind, rowsWithBytesOn } from "./pages.ts";
import type { Row } from "./past.ts";

/** The pictures that came back, and where those were that did not. */
export interface FoundPictures {
  pictures: NewPicture[];
  /** Places in books' folders. */
  lost: string[];
}

/** Finds every picture whose bytes have its hash, wherever it stands; what a book lacks is taken from copies. */
export function collectPictures(
  { now, base, logged }: Remains,
  places: readonly Row[],
  copies: () => readonly CopyRows[],
): FoundPictures {
  const found = new Map<string, NewPicture>();
  const look = (image: PageImage, number: number) => {
    if (pageKind(image, number) !== "table leaf") return;
    for (const { values } of rowsWithBytesOn(image, number)) {
      const picture = pictureOf(values);
      if (picture !== undefined) found.set(picture.hash, picture);
    }
  };
  for (let number = 1; number <= now.pageCount; number++) look(now, number);
  for (const number of logged) look(base, number);
  const lost: string[] = [];
  for (const { file, hash } of places) {
    if (found.has(String(hash))) continue;
    const copied = copies().flatMap((copy) => copy.pictureOf(String(hash)) ?? [])[0];
    if (copied === undefined) lost.push(String(file));
    else found.set(copied.hash, copied);
  }
  return { pictures: [...found.values()], lost };
}

const COLUMNS = 4;

/** A row as a picture, if its bytes have its hash. */
function pictureOf(values: readonly unknown[]): NewPicture | undefined {
  const [hash, type, , bytes] = values;
  if (values.length !== COLUMNS || !Buffer.isBuffer(bytes) || hash !== hashOfPicture(bytes)) return undefined;
  return { hash, type: String(type), bytes };
}
