import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { asProblem } from "../../api/problem.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { go } from "../../router.ts";
import { type Chosen, chosenIn, dropped, type GivenFile, readChosen } from "./given-files.ts";
import { ImportPlan, type Plan } from "./import-plan.tsx";

/** Imports a book from files that are chosen or dropped, once the plan is agreed to. */
export function BringIn({ onBusy }: { onBusy: (isBusy: boolean) => void }): JSX.Element {
  const [given, setGiven] = useState<readonly GivenFile[]>();
  const [plan, setPlan] = useState<Plan>();
  const [fault, setFault] = useState<string>();
  const look = async (chosen: Promise<Chosen[]> | Chosen[]) => {
    setFault(undefined);
    setPlan(undefined);
    onBusy(true);
    try {
      const files = await readChosen(await chosen);
      setGiven(files);
      setPlan(await ask("importSent", { query: { dryRun: "1" }, body: { files } }));
    } catch (thrown) {
      setGiven(undefined);
      setFault(asProblem(thrown).message);
      onBusy(false);
    }
  };
  const leave = () => {
    setGiven(undefined);
    setPlan(undefined);
    onBusy(false);
  };
  const take = async (title: string) => {
    const isNew = plan?.book.status === "created";
    const body = { files: [...(given ?? [])], ...(isNew ? { title } : {}) };
    const taken = await write("importSent", { body }, (answer) => `“${answer.title}” is imported.`);
    if (taken !== undefined) go(`/b/${taken.bookId}`);
  };
  return (
    <section class="bring-in">
      <h2>Import a folder or files</h2>
      {plan === undefined ? (
        <DropPlace isBusy={given !== undefined} onChosen={(chosen) => void look(chosen)} />
      ) : (
        <ImportPlan plan={plan} onTake={take} onLeave={leave} />
      )}
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault} Nothing was imported.
        </p>
      )}
    </section>
  );
}

interface DropProps {
  isBusy: boolean;
  onChosen: (chosen: Promise<Chosen[]> | Chosen[]) => void;
}

function DropPlace({ isBusy, onChosen }: DropProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const chosen = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    onChosen(chosenIn(currentTarget));
    currentTarget.value = ""; // the same can be chosen again
  };
  return (
    <section
      class={isOver ? "drop over" : "drop"}
      aria-label="Drop a folder or files here"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer !== null) onChosen(dropped(event.dataTransfer));
      }}
    >
      <p>
        Drop it here: Markdown, a Scrivener, novelWriter, Longform or mdBook project, Word, OpenDocument,
        EPUB. You see what will be imported before anything is written.
      </p>
      <p class="acts-line">
        <Button kind="first" disabled={isBusy} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
        <Button disabled={isBusy} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        {isBusy && <span role="status">One moment …</span>}
      </p>
      <input
        type="file"
        hidden
        ref={(field) => {
          folder.current = field;
          if (field !== null) field.webkitdirectory = true;
        }}
        aria-label="Folder"
        onChange={chosen}
      />
      <input type="file" hidden multiple ref={files} aria-label="Files" onChange={chosen} />
    </section>
  );
}
