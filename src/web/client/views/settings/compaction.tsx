import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Tick } from "../../parts/fields.tsx";
import { counted, localDay, number } from "../../parts/numbers.ts";
import { size } from "./size.ts";

type Compacted = Answer<"compactFile">;

/** What the file can give back: free pages, and by choice the single saves of old sittings. Shown first, then done. */
export function Compaction(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [folds, setFolds] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [done, setDone] = useState<Compacted>();
  const body = folds ? { olderThan: aYearAgo(), keep: "sittings" as const } : {};
  const planned = useAnswer("compactFile", isOpen ? { body, query: { dryRun: "1" } } : undefined);
  const plan = planned.answer;
  const isBusy = isWorking || planned.isLoading === true;
  const run = async () => {
    setWorking(true);
    const answer = await write("compactFile", { body });
    setWorking(false);
    setDone(answer);
    if (answer !== undefined) setOpen(false);
  };
  if (!isOpen)
    return (
      <>
        {done !== undefined && <Done answer={done} />}
        <Button kind="plain" onClick={() => setOpen(true)}>
          Make it smaller …
        </Button>
      </>
    );
  return (
    <div class="callout">
      <Tick isOn={folds} disabled={isBusy} onChange={setFolds}>
        Keep one save of each sitting that is older than a year
      </Tick>
      {planned.refusal && <p role="alert">{planned.refusal}</p>}
      {plan ? <Plan answer={plan} isFolding={folds} /> : <p role="status">Measuring …</p>}
      <p class="acts">
        <Button kind="first" disabled={isBusy || !plan || !isWorth(plan)} onClick={run}>
          {isWorking ? "Working …" : "Make it smaller"}
        </Button>
        <Button disabled={isWorking} onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </p>
    </div>
  );
}

const isWorth = ({ before, after }: Compacted) => before.bytes > after.bytes || before.saves > after.saves;

function Plan({ answer, isFolding }: { answer: Compacted; isFolding: boolean }): JSX.Element {
  const { before, after } = answer;
  if (!isWorth(answer))
    return <p role="status">{isFolding ? "No such saves, and nothing" : "Nothing"} to give back.</p>;
  return (
    <p role="status">
      {size(before.bytes)} would become {size(after.bytes)}.{" "}
      {before.saves > after.saves &&
        `${counted(before.saves, "save")} would become ${number(after.saves)}: what is older than a year is undone by the sitting. Milestones stay exact. `}
      The file of until now is kept beside it, and takes its room until you remove it.
    </p>
  );
}

function Done({ answer: { written, before, after, aside } }: { answer: Compacted }): JSX.Element {
  if (!written) return <p role="status">Nothing to give back.</p>;
  return (
    <p role="status">
      {size(before.bytes)} have become {size(after.bytes)}
      {before.saves > after.saves && `, and ${counted(before.saves, "save")} ${number(after.saves)}`}. The
      file of until now is <code>{aside}</code>.
    </p>
  );
}

/** The day of a year ago, here. */
function aYearAgo(): string {
  const then = new Date();
  then.setFullYear(then.getFullYear() - 1);
  return localDay(then);
}
