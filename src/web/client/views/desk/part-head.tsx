import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { InPlace } from "../../parts/in-place.tsx";
import type { Outline } from "../../parts/view.tsx";

interface PartProps {
  book: Outline;
  partId: string;
  title: string;
  said: string;
}

/** A part's title, changed where it stands, and what can be done with the whole part. */
export function PartHead({ book, partId, title, said }: PartProps): JSX.Element {
  const index = book.parts.findIndex(({ id }) => id === partId);
  const params = { partId };
  const move = (position: number) =>
    write("updatePart", { params, body: { position } }, "The part is moved, and its chapters with it.");
  return (
    <header>
      <h2 dir="auto">
        <InPlace
          value={title}
          label="Part"
          onSave={(text) =>
            text !== "" && void write("updatePart", { params, body: { title: text } }, "The part is renamed.")
          }
        />
      </h2>
      <span class="acts quiet">
        {index > 0 && (
          <Button kind="plain" onClick={() => move(index)}>
            Up
          </Button>
        )}
        {index < book.parts.length - 1 && (
          <Button kind="plain" onClick={() => move(index + 2)}>
            Down
          </Button>
        )}
        <Button
          kind="plain"
          onClick={() => write("deletePart", { params }, "The part is removed; its chapters stay.")}
        >
          Remove
        </Button>
        <a class="btn plain" href={`/b/${book.id}/read/${partId}`}>
          Read
        </a>
      </span>
      <span>{said}</span>
    </header>
  );
}
