import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { number, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";

type Entry = Answer<"listLedger">["entries"][number];

const CALLS: Readonly<Record<string, string>> = {
  draftSynopsis: "Synopsis",
  detectMentions: "Detect",
  checkConsistency: "Check",
};
const SHOWN = 8;

/** What AI calls have cost, newest first. */
export function Ledger(): JSX.Element {
  const first = useRead("listLedger", { query: { limit: SHOWN } });
  const [older, setOlder] = useState<readonly Entry[]>([]);
  const more = async (before: number) => {
    try {
      const { entries } = await ask("listLedger", { query: { before, limit: 50 } });
      setOlder([...older, ...entries]);
      if (entries.length === 0) tell("There is nothing older.");
    } catch (thrown) {
      tell(asProblem(thrown).message, { isProblem: true });
    }
  };
  return (
    <Await read={first}>
      {({ entries }) => {
        const all = [...entries, ...older.filter(({ number: one }) => one < (entries.at(-1)?.number ?? 0))];
        const last = all.at(-1);
        if (last === undefined) return <p class="soft">No AI call has been made yet.</p>;
        return (
          <>
            <table class="ledger">
              <caption>Calls</caption>
              <tbody>
                {all.map((entry) => (
                  <tr key={entry.number}>
                    <td>{when(entry.at)}</td>
                    <td>
                      {entry.operation === null ? entry.kind : (CALLS[entry.operation] ?? entry.operation)}
                    </td>
                    <td class="serif">{entry.chapterTitle ?? ""}</td>
                    <td class="soft">{entry.engine ?? ""}</td>
                    <td class="num">{costOf(entry)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {all.length >= SHOWN && (
              <button type="button" class="btn plain" onClick={() => void more(last.number)}>
                Older ones
              </button>
            )}
          </>
        );
      }}
    </Await>
  );
}

/** Credits that a call took; what was granted with its sign. */
function costOf({ fromAllowance, fromCredits, state, kind }: Entry): string {
  if (state === "refunded") return "free";
  const cost = fromAllowance + fromCredits;
  return kind === "call" ? number(cost) : cost > 0 ? `−${number(cost)}` : `+${number(-cost)}`;
}
