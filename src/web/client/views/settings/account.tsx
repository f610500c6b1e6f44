import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { day, number, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

type Entry = Answer<"listLedger">["entries"][number];

const CALLS: Readonly<Record<string, string>> = {
  draftSynopsis: "Synopsis",
  detectMentions: "Detect",
  checkConsistency: "Check",
};
/** Calls that are shown at first, and that are added at once. */
const SHOWN = 8;
const MORE = 50;

/** Subscription, allowance and credits, as the file says, and the cost of each AI call, newest first. */
export function Account(): JSX.Element {
  return (
    <>
      <Plan />
      <ul class="rows" aria-label="Calls">
        <Entries limit={SHOWN} />
      </ul>
    </>
  );
}

function Plan(): JSX.Element {
  const account = useRead("readAccount", {});
  return (
    <Await read={account}>
      {({ subscription, allowance, credits, writer }) => (
        <dl>
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

/** The calls before one, without it the newest; behind them those before, once they are asked for. */
function Entries({ before, limit }: { before?: number; limit: number }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const read = useRead("listLedger", { query: { before, limit } });
  return (
    <Await read={read}>
      {({ entries }) => {
        const last = entries.at(-1)?.number;
        if (last === undefined) return before === undefined && <li>No AI call has been made yet.</li>;
        return (
          <>
            {entries.map((entry) => (
              <Call key={entry.number} entry={entry} />
            ))}
            {isOpen && <Entries before={last} limit={MORE} />}
            {!isOpen && entries.length === limit && (
              <li>
                <Button kind="plain" onClick={() => setOpen(true)}>
                  Older ones
                </Button>
              </li>
            )}
          </>
        );
      }}
    </Await>
  );
}

function Call({ entry }: { entry: Entry }): JSX.Element {
  const { at, operation, kind, chapterTitle, engine } = entry;
  return (
    <li>
      <span>
        {operation === null ? kind : (CALLS[operation] ?? operation)} <i class="serif">{chapterTitle}</i>{" "}
        <small>
          {when(at)} {engine && ` · ${engine}`}
        </small>
      </span>
      <span>{costOf(entry)}</span>
    </li>
  );
}

/** Credits that a call took; what was granted with its sign. */
function costOf({ fromAllowance, fromCredits, state, kind }: Entry): string {
  if (state === "refunded") return "free";
  const cost = fromAllowance + fromCredits;
  return kind === "call" ? number(cost) : cost > 0 ? `−${number(cost)}` : `+${number(-cost)}`;
}
