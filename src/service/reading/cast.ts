import { createHash } from "node:crypto";
import type { FactRow } from "../../store/rows/facts.ts";

/** A key of the cast: the same for the same facts, however often they are mentioned. */
export function castKey(facts: readonly FactRow[]): string {
  // Without counts and times: anchoring a mention changes no fact.
  const known = facts.map((fact) => [
    fact.id,
    fact.name,
    fact.kind,
    fact.aliases,
    fact.attributes,
    fact.summary,
  ]);
  return createHash("sha256").update(JSON.stringify(known)).digest("base64url");
}
