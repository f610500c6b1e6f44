import type { FactId } from "../ids.ts";
import { listFacts } from "../store/facts.ts";
import type { Act } from "../store/store.ts";
import { insertFact } from "./facts.ts";
import type { Manuscript } from "./manuscript.ts";
import { checkText, TEXTS } from "./text.ts";

/** A fact as a file brings it. */
export interface AskedFact {
  /** Counts only where it is a fact of the book. */
  id?: string;
  name: string;
  kind: string;
  aliases: readonly string[];
  attributes: readonly { key: string; value: string }[];
  summary: string;
}

/** What became of one fact. */
export interface FactOutcome {
  id: FactId;
  name: string;
  /** `left`: the manuscript's stays as it is; `conflict`: both sides changed the same, and nothing of it was written. */
  status: "created" | "updated" | "same" | "left" | "conflict" | "deleted";
}

/** Adds the facts that a book lacks: one of the same name and kind is the same. Throws `BadRequest`. */
export function addFacts(
  manuscript: Manuscript,
  act: Act,
  bookId: string,
  asked: readonly AskedFact[],
): FactOutcome[] {
  const known = new Map(listFacts(manuscript.store, bookId).map((fact) => [keyOf(fact), fact.id]));
  return asked.map((brought) => {
    const fact = checkFact(`The fact ${brought.name}`, brought);
    const found = known.get(keyOf(fact));
    if (found !== undefined) return { id: found, name: fact.name, status: "same" };
    const id = insertFact(manuscript, act, bookId, fact);
    known.set(keyOf(fact), id);
    return { id, name: fact.name, status: "created" };
  });
}

function keyOf({ name, kind }: { name: string; kind: string }): string {
  return JSON.stringify([name, kind]);
}

/** The fact with its texts as they are stored. Throws `BadRequest`, naming `what` and the key. */
function checkFact(what: string, { name, kind, aliases, attributes, summary }: AskedFact) {
  return {
    name: checkText(`${what}: name`, name, TEXTS.name),
    kind: checkText(`${what}: kind`, kind, TEXTS.kind),
    aliases: aliases.map((alias) => checkText(`${what}: aliases`, alias, TEXTS.name)),
    attributes: attributes.map(({ key, value }) => ({
      key: checkText(`${what}: attributes`, key, TEXTS.name),
      value: checkText(`${what}: ${key}`, value, TEXTS.attribute),
    })),
    summary: checkText(`${what}: summary`, summary, TEXTS.summary),
  };
}
