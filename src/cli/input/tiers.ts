import { TIERS } from "../../contract/enums.ts";
import { BadRequest } from "../../refusals.ts";

type Tier = (typeof TIERS)[number];

/** The tiers of a list such as `read,ai`, each once. Throws `BadRequest` for a word that is none. */
export function tiersOf(option: string, list: string): Tier[] {
  const words = list.split(",").map((word) => word.trim());
  const unknown = words.filter((word) => !TIERS.includes(word as Tier));
  if (unknown.length > 0) {
    throw new BadRequest(
      `${option} takes ${TIERS.join(", ")}, joined by commas, got "${unknown.join(",")}".`,
    );
  }
  return TIERS.filter((tier) => words.includes(tier));
}
