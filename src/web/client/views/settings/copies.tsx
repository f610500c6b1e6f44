import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { counted, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { size } from "./size.ts";

type Copy = Answer<"listCopies">["copies"][number];

/** The copies of the file: made now, and put in its place. */
export function Copies(): JSX.Element {
  const copies = useRead("listCopies", {});
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    await write("createBackup", {}, ({ copy }) => `Copied and verified: ${copy}`);
    setBusy(false);
  };
  return (
    <Await read={copies}>
      {({ folder, copies: all }) => (
        <>
          <dl>
            <dt>In</dt>
            <dd>
              <code>{folder}</code>
            </dd>
          </dl>
          <p class="acts">
            <Button disabled={isBusy} onClick={() => make()}>
              {isBusy ? "Copying …" : "Back up now"}
            </Button>
          </p>
          {all.length === 0 ? (
            <p class="soft">No copies yet.</p>
          ) : (
            <ul class="rows">
              {all.map((copy) => (
                <CopyRow key={copy.path} copy={copy} />
              ))}
            </ul>
          )}
        </>
      )}
    </Await>
  );
}

/** What a copy has not of the file, and the file not of it. */
function standing({
  savesBehind: behind,
  savesAhead: ahead,
}: Pick<Copy, "savesBehind" | "savesAhead">): string {
  if (behind === null || ahead === null) return "";
  if (behind > 0 && ahead > 0) return ", another history";
  if (behind > 0) return `, ${counted(behind, "save")} older`;
  return ahead > 0 ? `, ${counted(ahead, "save")} newer` : "";
}

function CopyRow({ copy }: { copy: Copy }): JSX.Element {
  const { path, kind, at, bytes } = copy;
  const [preview, setPreview] = useState<Answer<"restoreBackup">>();
  const look = async () =>
    setPreview(await write("restoreBackup", { body: { copy: path }, query: { dryRun: "1" } }));
  const restore = async () => {
    await write("restoreBackup", { body: { copy: path } }, ({ aside }) =>
      aside === null ? "The copy is in place." : `The copy is in place. The file it replaced is ${aside}`,
    );
    setPreview(undefined);
  };
  return (
    <li>
      <span>
        {when(at)}{" "}
        <small>
          {kind + standing(copy)} · {size(bytes)}
        </small>
      </span>
      {preview === undefined ? (
        <Button kind="plain" aria-label={`Restore the copy of ${when(at)}`} onClick={() => look()}>
          Restore…
        </Button>
      ) : (
        <div class="callout">
          <p>
            It holds {counted(preview.books, "book")} with {counted(preview.words, "word")}
            {preview.before !== null &&
              `; now there are ${counted(preview.before.books, "book")} with ${counted(preview.before.words, "word")}`}
            . The present file is kept beside it; keys and credits become those of the copy.
          </p>
          <p class="acts">
            <Button kind="first" onClick={() => restore()}>
              Restore it
            </Button>
            <Button onClick={() => setPreview(undefined)}>Cancel</Button>
          </p>
        </div>
      )}
    </li>
  );
}
