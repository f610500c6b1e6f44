import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { day, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

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
            {subscription.active ? "Active" : "Not active: scripts may read, not write"}
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
