import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { day, number, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";

type Entry = Answer<"listLedger">["entries"][number];

const CALLS: Readonly<Record<string, string>> = {
  draftSynopsis: "Synopsis",
  detectMentions: "Detect",
  checkConsistency: "Check",
};
const SHOWN = 8;

/** Subscription, allowance and credits, as the file says. */
export function Plan(): JSX.Element {
  const account = useRead("readAccount", {});
  return (
    <Await read={account}>
      {({ subscription, allowance, credits, writer }) => (
        <dl class="facts">
          <dt>Writer</dt>
          <dd>
            <code>{writer}</code>
          </dd>
          <dt>Subscription</dt>
          <dd>
            {subscription.active ? "Active" : "Not active: scripts can read but not write"}
            {subscription.until === null ? ", no end" : `, until ${day(subscription.until)}`}
          </dd>
          <dt>Allowance</dt>
          <dd>
            {allowance.perMonth === null ? "No limit" : `${number(allowance.perMonth)} credits a month`};{" "}
            {number(allowance.used)} used this month
          </dd>
          <dt>Credits beyond it</dt>
          <dd>{number(credits)}</dd>
        </dl>
      )}
    </Await>
  );
}

/** The cost of each AI call, newest first. */
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
              <Button kind="plain" onClick={() => more(last.number)}>
                Older ones
              </Button>
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
