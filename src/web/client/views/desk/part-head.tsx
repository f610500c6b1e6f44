import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { InPlace } from "../../parts/in-place.tsx";
import type { Outline } from "./outline.ts";

/** A part's title, changed where it stands, and what can be done with the whole part. */
export function PartHead({
  book,
  partId,
  title,
  said,
}: {
  book: Outline;
  partId: string;
  title: string;
  said: string;
}): JSX.Element {
  const index = book.parts.findIndex(({ id }) => id === partId);
  const move = (position: number) =>
    void write(
      "updatePart",
      { params: { partId }, body: { position } },
      "The part is moved, its chapters with it.",
    );
  return (
    <header>
      <h2>
        <InPlace
          value={title}
          label="Part"
          onSave={(text) =>
            text !== "" &&
            void write("updatePart", { params: { partId }, body: { title: text } }, "The part is renamed.")
          }
        />
      </h2>
      <span class="acts">
        {index > 0 && (
          <button type="button" class="btn plain" onClick={() => move(index)}>
            Up
          </button>
        )}
        {index < book.parts.length - 1 && (
          <button type="button" class="btn plain" onClick={() => move(index + 2)}>
            Down
          </button>
        )}
        <button
          type="button"
          class="btn plain"
          onClick={() =>
            void write("deletePart", { params: { partId } }, "The part is removed; its chapters stay.")
          }
        >
          Remove
        </button>
        <a class="btn plain" href={`/b/${book.id}/read/${partId}`}>
          Read
        </a>
      </span>
      <span>{said}</span>
    </header>
  );
}
