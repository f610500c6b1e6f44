import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { Form, type Values } from "../../parts/form.tsx";

const TIERS = ["read", "propose", "write", "ai"] as const;
const DAY_MS = 86_400_000;
const ENDS = [
  [0, "Never"],
  [7, "In a week"],
  [30, "In 30 days"],
  [365, "In a year"],
] as const;

/** The form of a new key: its name, its tiers, and when it ends. */
export function KeyForm({ onMade }: { onMade: (made: Answer<"createKey">) => void }): JSX.Element {
  const create = async (values: Values, form: HTMLFormElement) => {
    const days = Number(values.ends);
    const made = await write("createKey", {
      body: {
        name: values.name ?? "",
        allow: TIERS.filter((tier) => tier in values),
        expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      },
    });
    if (made === undefined) return;
    form.reset();
    onMade(made);
  };
  return (
    <Form class="line" onSave={create}>
      <Field label="Name" type="text" name="name" placeholder="What will use it" />
      <fieldset>
        <legend>May</legend>
        <span class="acts tiers">
          {TIERS.map((tier) => (
            <label key={tier}>
              <input type="checkbox" name={tier} defaultChecked={tier === "read"} />
              {tier}
            </label>
          ))}
        </span>
      </fieldset>
      <Choice isShown label="Ends" name="ends" options={ENDS} />
      <Button type="submit" kind="first">
        Create
      </Button>
    </Form>
  );
}
