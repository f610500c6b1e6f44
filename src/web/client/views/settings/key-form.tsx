import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { write } from "../../api/write.ts";

const TIERS = ["read", "propose", "write", "ai"] as const;
const DAY_MS = 86_400_000;
const ENDS = [
  { name: "Never", days: 0 },
  { name: "In a week", days: 7 },
  { name: "In 30 days", days: 30 },
  { name: "In a year", days: 365 },
] as const;

/** Makes a key: what will use it, what it may do, when it ends. */
export function KeyForm({ onMade }: { onMade: (made: Answer<"createKey">) => void }): JSX.Element {
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const days = Number(given.get("ends"));
    const made = await write("createKey", {
      body: {
        name: String(given.get("name")).trim(),
        allow: TIERS.filter((tier) => given.has(tier)),
        expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      },
    });
    if (made === undefined) return;
    form.reset();
    onMade(made);
  };
  return (
    <form class="form" onSubmit={(event) => void make(event)}>
      <label>
        Name
        <input class="field" type="text" name="name" placeholder="What will use it" />
      </label>
      <fieldset>
        <legend>May</legend>
        <span class="tiers">
          {TIERS.map((tier) => (
            <label key={tier}>
              <input type="checkbox" name={tier} defaultChecked={tier === "read"} />
              {tier}
            </label>
          ))}
        </span>
      </fieldset>
      <label>
        Ends
        <select class="field" name="ends">
          {ENDS.map(({ name, days }) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="btn first">
        Create
      </button>
    </form>
  );
}
