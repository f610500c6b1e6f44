import { fetchPicture, type PicturePlace } from "../../../api/picture.ts";

/** Puts a picture that the book keeps into an element, in the place of its words. Returns what takes it back. */
export function showPicture(
  dom: HTMLElement,
  { src, alt }: { src: string; alt: string | null },
  place: PicturePlace,
): () => void {
  let isGone = false;
  let address: string | undefined;
  const drop = () => address !== undefined && URL.revokeObjectURL(address);
  void fetchPicture(place, src).then((read) => {
    address = read;
    if (isGone) drop();
    else if (address !== undefined)
      dom.replaceChildren(Object.assign(document.createElement("img"), { src: address, alt: alt ?? "" }));
  });
  return () => {
    isGone = true;
    drop();
  };
}
