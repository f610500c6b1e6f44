import * as stored from "../store/account.ts";
import { isActive, localDay, type Manuscript } from "./manuscript.ts";

/** The writer's plan and what is left of it, as `account show --json` prints it. */
export interface Account {
  writer: string;
  subscription: { active: boolean; until: string | null };
  /** Credits a month that the subscription includes; `perMonth` null is unlimited. */
  allowance: { perMonth: number | null; used: number };
  credits: number;
}

/** What `account set` may change; undefined leaves a field as it is. */
export interface AccountChange {
  subscription?: boolean | undefined;
  /** A local day, or null for no end. */
  until?: string | null | undefined;
  /** Credits a month, or null for unlimited. */
  allowance?: number | null | undefined;
  credits?: number | undefined;
}

/** The plan today; `active` takes its last day into account. */
export function readAccount({ store, writer }: Manuscript): Account {
  const now = store.clock();
  const plan = stored.readPlan(store);
  const { credits, used } = stored.readBalance(store, localDay(now).slice(0, 7));
  return {
    writer,
    subscription: { active: isActive(plan, localDay(now)), until: plan.until },
    allowance: { perMonth: plan.allowance, used },
    credits,
  };
}

/** Changes the plan; a balance is set by an adjusting entry, so that the ledger always adds up. */
export function changeAccount(manuscript: Manuscript, change: AccountChange): Account {
  const { store } = manuscript;
  store.setAside(() => {
    const plan = stored.readPlan(store);
    stored.savePlan(store, {
      active: change.subscription ?? plan.active,
      until: change.until === undefined ? plan.until : change.until,
      allowance: change.allowance === undefined ? plan.allowance : change.allowance,
    });
    if (change.credits !== undefined) {
      const now = store.clock();
      const month = localDay(now).slice(0, 7);
      const fromCredits = stored.readBalance(store, month).credits - change.credits;
      if (fromCredits !== 0)
        stored.enterLedger(store, { at: now, month, kind: "set", fromAllowance: 0, fromCredits });
    }
  });
  return readAccount(manuscript);
}
