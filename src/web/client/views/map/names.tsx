import type { JSX } from "preact";
import type { Change, Fact } from "./fact.tsx";
import { OneLine } from "./one-line.tsx";

/** The other names of a fact: one is taken away by its cross, one is added by typing it. */
export function Names({ fact, onChange }: { fact: Fact; onChange: Change }): JSX.Element {
  const { aliases, name } = fact;
  const set = (changed: readonly string[], done: string) => onChange({ aliases: [...changed] }, done);
  return (
    <>
      <dt>Also</dt>
      <dd>
        <ul class="names">
          {aliases.map((alias) => (
            <li key={alias}>
              {alias}{" "}
              <button
                type="button"
                aria-label={`Take the name ${alias} away`}
                onClick={() =>
                  set(
                    aliases.filter((other) => other !== alias),
                    `${name} is not called “${alias}” any more.`,
                  )
                }
              >
                ×
              </button>
            </li>
          ))}
          <li>
            <OneLine
              opener="Add a name"
              fields={[{ name: "alias", label: "Another name", most: 200 }]}
              onAdd={({ alias = "" }) => set([...aliases, alias], `${name} is called “${alias}”, too.`)}
            />
          </li>
        </ul>
      </dd>
    </>
  );
}
