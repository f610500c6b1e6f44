import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { followPicture, type PicturePlace } from "../../api/picture.ts";

interface PictureProps {
  place: PicturePlace;
  src: string;
  alt: string;
}

/** A picture that the book keeps; its words until it has come, and where there is none. */
export function Picture({ place: { bookId, chapterId }, src, alt }: PictureProps): JSX.Element {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const drop = followPicture({ bookId, chapterId }, src, setAddress);
    return () => {
      drop();
      setAddress(undefined);
    };
  }, [bookId, chapterId, src]);
  if (address === undefined) return <span class="picture">[{alt || src}]</span>;
  return <img class="picture" src={address} alt={alt} />;
}
