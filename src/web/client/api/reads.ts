import { ROUTES } from "manuscript:routes";
import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { addressOf, askTagged } from "./ask.ts";
import type { Answer, Operation, Sent } from "./operations.ts";
import { asProblem, type Problem } from "./problem.ts";

/** The state of a read: its last answer, and why the newest request failed. */
export interface Read<Id extends Operation> {
  answer: Answer<Id> | undefined;
  problem: Problem | undefined;
  etag: string | undefined;
}

interface Kept {
  state: Signal<Read<Operation>>;
  /** Asks again; nothing changes where the answer is the same. */
  refresh(): Promise<void>;
  users: number;
}

/** Reads that no view shows any more are kept so far, for the way back. */
const MOST_KEPT = 60;
const kept = new Map<string, Kept>();

const NOTHING: Read<Operation> = { answer: undefined, problem: undefined, etag: undefined };

/** The answer of a read, asked for once by all who show it and again when something was written; without `sent` nothing. */
export function useRead<Id extends Operation>(id: Id, sent: Sent<Id> | undefined): Read<Id> {
  const address = sent && `${id} ${addressOf(ROUTES[id] ?? "", sent)}`;
  const entry = useMemo(
    () => (address === undefined || sent === undefined ? undefined : keep(address, id, sent)),
    [address],
  );
  useEffect(() => {
    if (entry === undefined) return;
    if (entry.users++ === 0) void entry.refresh(); // else those who show it keep it fresh
    return () => {
      entry.users--;
    };
  }, [entry]);
  return (entry?.state.value ?? NOTHING) as Read<Id>;
}

/** Asks again for everything that is shown: after a write of ours, and when another's was seen. */
export async function refreshReads(): Promise<void> {
  const shown: Promise<void>[] = [];
  for (const [address, entry] of kept) {
    if (entry.users > 0) shown.push(entry.refresh());
    else kept.delete(address); // asked anew when it is shown again
  }
  await Promise.all(shown);
}

function keep<Id extends Operation>(address: string, id: Id, sent: Sent<Id>): Kept {
  let entry = kept.get(address);
  if (entry === undefined) {
    const oldest = kept.size < MOST_KEPT ? undefined : [...kept].find(([, { users }]) => users === 0);
    if (oldest !== undefined) kept.delete(oldest[0]);
    entry = create(id, sent);
    kept.set(address, entry);
  }
  return entry;
}

function create<Id extends Operation>(id: Id, sent: Sent<Id>): Kept {
  const state = signal(NOTHING as Read<Id>);
  let latest = 0;
  const refresh = async () => {
    const mine = ++latest;
    const { answer, etag } = state.peek();
    try {
      const told = await askTagged(id, sent, answer === undefined ? undefined : etag);
      if (mine !== latest) return; // a later asking knows more
      if (told.answer !== undefined)
        state.value = { answer: told.answer, problem: undefined, etag: told.etag };
      else if (state.peek().problem !== undefined) state.value = { ...state.peek(), problem: undefined };
    } catch (thrown) {
      if (mine === latest) state.value = { ...state.peek(), problem: asProblem(thrown) };
    }
  };
  return { state: state as unknown as Kept["state"], refresh, users: 0 };
}
