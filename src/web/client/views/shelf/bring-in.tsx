import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { asProblem } from "../../api/problem.ts";
import { write } from "../../api/write.ts";
import { dropped } from "../../drops.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import { type Chosen, chosenIn, filesIn, type GivenFile, readChosen } from "./given-files.ts";
import { type Goal, ImportPlan, type Plan } from "./import-plan.tsx";

/** Imports files that are chosen or dropped, once the plan is agreed to. */
export function BringIn({ onBusy }: { onBusy: (isBusy: boolean) => void }): JSX.Element {
  const [given, setGiven] = useState<readonly GivenFile[]>();
  const [goal, setGoal] = useState<Goal>({});
  const [plan, setPlan] = useState<Plan>();
  const [fault, setFault] = useState<string>();
  const leave = () => {
    setGiven(undefined);
    setPlan(undefined);
    onBusy(false);
  };
  const show = async (files: readonly GivenFile[], wanted: Goal) => {
    setFault(undefined);
    setPlan(await ask("importSent", { query: { dryRun: "1" }, body: { files: [...files], ...wanted } }));
    setGoal(wanted);
  };
  const told = (thrown: unknown) => setFault(asProblem(thrown).message);
  const look = async (chosen: Promise<Chosen[]> | Chosen[]) => {
    leave();
    onBusy(true);
    try {
      const files = await readChosen(await chosen);
      setGiven(files);
      await show(files, {});
    } catch (thrown) {
      leave();
      told(thrown);
    }
  };
  const files = dropped.value;
  useEffect(() => {
    dropped.value = undefined;
    if (files !== undefined) void look(filesIn(files));
  }, [files]);
  const take = async (title: string) => {
    const isNew = plan?.book.status === "created";
    const body = { files: [...(given ?? [])], ...goal, ...(isNew ? { title } : {}) };
    const taken = await write("importSent", { body }, doneOf);
    if (taken !== undefined) go(`/b/${taken.bookId}${taken.layout === "comments" ? "/notes" : ""}`);
  };
  return (
    <section class="box bring-in">
      <h2>Import a folder or files</h2>
      {plan === undefined || given === undefined ? (
        <DropPlace isBusy={given !== undefined} onChosen={(chosen) => void look(chosen)} />
      ) : (
        <ImportPlan
          plan={plan}
          goal={goal}
          onGoal={(wanted) => void show(given, wanted).catch(told)}
          onTake={take}
          onLeave={leave}
        />
      )}
      {fault !== undefined && (
        <p class="callout" role="alert">
          {fault} Nothing was imported.
        </p>
      )}
    </section>
  );
}

function doneOf({ title, layout, notes, proposals = [] }: Plan): string {
  if (layout === "comments") {
    const made = notes.filter(({ status }) => status === "created");
    return `${counted(made.length, "comment")} came into “${title}”.`;
  }
  if (proposals.length === 0) return `“${title}” is imported.`;
  const edits = proposals.reduce((sum, proposal) => sum + proposal.edits, 0);
  return `“${title}” is imported; ${counted(edits, "change")} ${edits === 1 ? "waits" : "wait"} for you among its proposals.`;
}

interface DropProps {
  isBusy: boolean;
  onChosen: (chosen: Chosen[]) => void;
}

/** Where files are chosen; a drop anywhere on the page does the same. */
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
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={() => setOver(false)}
    >
      <p>
        Drop it here, or anywhere on the page: Markdown, a Scrivener, novelWriter or Longform project, Word,
        OpenDocument, EPUB; a Word file of yours that an editor sent back; comments of beta readers. You see
        what will be imported before anything is written.
      </p>
      <p class="acts">
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
