import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/focus.ts";
import { day, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Copyable } from "./copyable.tsx";
import { KeyForm } from "./key-form.tsx";

type Key = Answer<"listKeys">["keys"][number];

/** The API keys: a new one is shown once, the others by how they begin. */
export function Keys(): JSX.Element {
  const [made, setMade] = useState<Answer<"createKey">>();
  const keys = useRead("listKeys", {});
  return (
    <>
      {made && <NewKey made={made} />}
      <Await read={keys}>
        {({ keys: all }) =>
          all.length === 0 ? (
            <p class="soft">There is no key yet. A script needs one; this page does not.</p>
          ) : (
            <table class="keys">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Begins</th>
                  <th scope="col">May</th>
                  <th scope="col">Last used</th>
                  <th scope="col">
                    <span class="hidden">Revoke</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.toReversed().map((key) => (
                  <KeyRow key={key.id} record={key} />
                ))}
              </tbody>
            </table>
          )
        }
      </Await>
      <KeyForm onMade={setMade} />
    </>
  );
}

function NewKey({ made: { name, key } }: { made: Answer<"createKey"> }): JSX.Element {
  return (
    <section class="new" aria-live="polite">
      <h3>A new key{name === "" ? "" : `: ${name}`}</h3>
      <p>Copy it now. It will not be shown again.</p>
      <Copyable text={key} label="the key" />
      <Copyable
        text={`curl -H "Authorization: Bearer ${key}" ${location.origin}/api/v1/books`}
        label="a first call"
      />
    </section>
  );
}

function KeyRow({ record }: { record: Key }): JSX.Element {
  const { id, name, prefix, allow, createdAt, lastUsedAt, expiresAt, revokedAt } = record;
  const isOver = revokedAt !== null || (expiresAt !== null && new Date(expiresAt) <= new Date());
  const used =
    revokedAt !== null
      ? `revoked ${day(revokedAt)}`
      : lastUsedAt === null
        ? `never; made ${day(createdAt)}`
        : when(lastUsedAt);
  return (
    <tr class={isOver ? "off" : ""}>
      <td>
        <b>{name || "unnamed"}</b>
      </td>
      <td>
        <code>{prefix}…</code>
      </td>
      <td>{allow.join(", ")}</td>
      <td>
        {used}
        {expiresAt !== null && revokedAt === null && ` · ${isOver ? "ended" : "ends"} ${day(expiresAt)}`}
      </td>
      <td>{revokedAt === null && <Revoke id={id} name={name} />}</td>
    </tr>
  );
}

/** A revoked key never comes back, so it is asked for twice. */
function Revoke({ id, name }: { id: string; name: string }): JSX.Element {
  const [isSure, setSure] = useState(false);
  if (!isSure)
    return (
      <button type="button" class="btn plain" aria-label={`Revoke ${name}`} onClick={() => setSure(true)}>
        Revoke
      </button>
    );
  return (
    <button
      type="button"
      class="btn"
      ref={focusOnce}
      onBlur={() => setSure(false)}
      onClick={() => void write("revokeKey", { params: { keyId: id } }, "The key opens nothing any more.")}
    >
      Revoke for good
    </button>
  );
}
