import { Copy } from "lucide";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button, focusOnce, Icon } from "../../parts/button.tsx";
import { day, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
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
            <ul class="rows">
              {all.toReversed().map((key) => (
                <KeyRow key={key.id} record={key} />
              ))}
            </ul>
          )
        }
      </Await>
      <KeyForm onMade={setMade} />
    </>
  );
}

function NewKey({ made: { name, key } }: { made: Answer<"createKey"> }): JSX.Element {
  return (
    <section class="callout" aria-live="polite">
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
        ? `never used; made ${day(createdAt)}`
        : `last used ${when(lastUsedAt)}`;
  return (
    <li class={isOver ? "off" : ""}>
      <div>
        <b>{name || "unnamed"}</b> <code>{prefix}…</code> {allow.join(", ")}
        <small>
          {used}
          {expiresAt !== null && revokedAt === null && ` · ${isOver ? "ended" : "ends"} ${day(expiresAt)}`}
        </small>
      </div>
      {revokedAt === null && <Revoke id={id} name={name} />}
    </li>
  );
}

/** Asks twice: a revoked key never comes back. */
function Revoke({ id, name }: { id: string; name: string }): JSX.Element {
  const [isSure, setSure] = useState(false);
  if (!isSure)
    return (
      <Button kind="plain" aria-label={`Revoke ${name}`} onClick={() => setSure(true)}>
        Revoke
      </Button>
    );
  return (
    <Button
      ref={focusOnce}
      onBlur={() => setSure(false)}
      onClick={() => write("revokeKey", { params: { keyId: id } }, "The key no longer works.")}
    >
      Revoke for good
    </Button>
  );
}

/** A text to copy. Where the browser has no clipboard (plain HTTP from another machine) it is selected instead. */
function Copyable({ text, label }: { text: string; label: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState("Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setSaid("Press Ctrl C");
    }
  };
  return (
    <p class="box copy">
      <code ref={code}>{text}</code>
      <Button aria-label={`Copy ${label}`} onClick={() => copy()}>
        <Icon of={Copy} />
        {said}
      </Button>
    </p>
  );
}
