import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { refreshReads } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Tick } from "../../parts/fields.tsx";
import { counted, localDay, number, size } from "../../parts/numbers.ts";

type Compacted = Answer<"compactFile">;

/** What the file can give back: free pages, and by choice the single saves of old sittings. Shown first, then done. */
export function Compaction(): JSX.Element {
  const [folds, setFolds] = useState(false);
  const [plan, setPlan] = useState<Compacted>();
  const [done, setDone] = useState<Compacted>();
  const [isBusy, setBusy] = useState(false);
  const compact = async (isFolding: boolean, query: { dryRun?: "1" }) => {
    setBusy(true);
    const body = isFolding ? { olderThan: aYearAgo(), keep: "sittings" as const } : {};
    const answer = await write("compactFile", { body, query });
    setBusy(false);
    return answer;
  };
  const look = async (isFolding: boolean) => {
    setDone(undefined);
    setFolds(isFolding);
    setPlan((await compact(isFolding, { dryRun: "1" })) ?? plan);
  };
  const run = async () => {
    const answer = await compact(folds, {});
    if (answer === undefined) return; // it was told why
    setDone(answer);
    setPlan(undefined);
    await refreshReads();
  };
  if (plan === undefined)
    return (
      <>
        {done !== undefined && <Done answer={done} />}
        <p class="acts">
          <Button kind="plain" disabled={isBusy} onClick={() => look(false)}>
            {isBusy ? "Measuring …" : "Make it smaller …"}
          </Button>
        </p>
      </>
    );
  return (
    <div class="cost">
      <Tick class="check" isOn={folds} disabled={isBusy} onChange={look}>
        Keep one save of each sitting that is older than a year
      </Tick>
      <Plan answer={plan} isFolding={folds} />
      <p class="acts">
        <Button kind="first" disabled={isBusy || !isWorth(plan)} onClick={run}>
          {isBusy ? "Working …" : "Make it smaller"}
        </Button>
        <Button disabled={isBusy} onClick={() => setPlan(undefined)}>
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
