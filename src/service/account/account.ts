import type { LocalAnswer } from "../../contract/local-answers.ts";
import { readPlan, savePlan } from "../../store/rows/account.ts";
import { grantCredits, readBalance } from "../../store/rows/ledger.ts";
import { isActive, localDay, type Manuscript } from "../manuscript.ts";
import { refundAbandoned } from "./credits.ts";
import { changeLanguageModel, type LanguageModelChange, readLanguageModel } from "./language-model.ts";

/** The writer's plan and credits, as `account show --json` prints it. */
export type Account = LocalAnswer<"account">;

/** What `account set` may change; undefined leaves a field as it is. */
export interface AccountChange {
  subscription?: boolean | undefined;
  /** A local day, or null for no end. */
  until?: string | null | undefined;
  /** Credits a month, or null for unlimited. */
  allowance?: number | null | undefined;
  credits?: number | undefined;
  llm?: LanguageModelChange | undefined;
}

/** The plan today; `active` takes its last day into account. Refunds abandoned calls first. */
export function readAccount({ store, writer }: Manuscript): Account {
  refundAbandoned(store);
  const now = store.clock();
  const plan = readPlan(store);
  const { credits, used } = readBalance(store, localDay(now).slice(0, 7));
  return {
    writer,
    subscription: { active: isActive(plan, localDay(now)), until: plan.until },
    allowance: { perMonth: plan.allowance, used },
    credits,
    llm: readLanguageModel(store),
  };
}

/** Changes the plan; a balance is set by an adjusting entry, so that the ledger always adds up. */
export function changeAccount(manuscript: Manuscript, change: AccountChange): Account {
  const { store } = manuscript;
  store.setAside(() => {
    refundAbandoned(store);
    const plan = readPlan(store);
    const { subscription: active = plan.active, until = plan.until, allowance = plan.allowance } = change;
    savePlan(store, { active, until, allowance });
    if (change.credits !== undefined) {
      const now = store.clock();
      const month = localDay(now).slice(0, 7);
      const missing = change.credits - readBalance(store, month).credits;
      if (missing !== 0) grantCredits(store, now, month, missing);
    }
    if (change.llm !== undefined) changeLanguageModel(store, change.llm);
  });
  return readAccount(manuscript);
}
