import type { CallId } from "../../ids.ts";
import { InsufficientCredits } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { readPlan } from "../../store/rows/account.ts";
import { enterHold, type MeteredCall, readBalance } from "../../store/rows/ledger.ts";
import { isActive, localDay } from "../manuscript.ts";
import { refundAbandoned, workerUntil } from "./holds.ts";

/** What can be spent now: of the month's allowance, and altogether; null is unlimited. */
interface CreditsLeft {
  available: number | null;
  allowance: number | null;
}

const WORDS_A_CREDIT = 1000;

/**
 * Credits for a chapter of this many words: 1 for 999 and for 1,000, 2 for 1,001. Throws `InsufficientCredits` if less
 * is left. Source: llms.txt, Tiers and their cost.
 */
export function priceWithin(store: Store, words: number): number {
  const cost = Math.max(1, Math.ceil(words / WORDS_A_CREDIT));
  const { available } = creditsLeft(store);
  if (available !== null && available < cost) throw new InsufficientCredits(cost, available);
  return cost;
}

/** The credits left; the allowance counts only while the subscription is active. Open holds are drawn already. */
export function creditsLeft(store: Store): CreditsLeft {
  const today = localDay(store.clock());
  const plan = readPlan(store);
  const { credits, used } = readBalance(store, today.slice(0, 7));
  if (!isActive(plan, today)) return { available: credits, allowance: 0 };
  if (plan.allowance === null) return { available: null, allowance: null };
  const allowance = Math.max(plan.allowance - used, 0);
  return { available: allowance + credits, allowance };
}

/**
 * Draws a call's price before its work, from the month's allowance first, then from credits: one transaction with the
 * reading of the balance, so that no two calls spend the same credit. Throws `InsufficientCredits`.
 */
export function hold(
  store: Store,
  call: Omit<MeteredCall, "id">,
  workMs: number,
): { id: CallId; cost: number } {
  return store.setAside(() => {
    refundAbandoned(store);
    const cost = priceWithin(store, call.words);
    const { allowance } = creditsLeft(store);
    const at = store.clock();
    const fromAllowance = allowance === null ? cost : Math.min(allowance, cost);
    const drawn = { month: localDay(at).slice(0, 7), fromAllowance, fromCredits: cost - fromAllowance };
    const id = store.mint("call");
    enterHold(store, { at, call: { ...call, id }, drawn, worker: workerUntil(at, workMs) });
    return { id, cost };
  });
}
