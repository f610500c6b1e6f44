import { followPicture, type PicturePlace } from "../../../api/picture.ts";

/** Puts a picture that the book keeps into an element, in the place of its words. Returns what takes it back. */
export function showPicture(
  dom: HTMLElement,
  { src, alt }: { src: string; alt: string | null },
  place: PicturePlace,
): () => void {
  return followPicture(place, src, (address) =>
    dom.replaceChildren(Object.assign(document.createElement("img"), { src: address, alt: alt ?? "" })),
  );
}
