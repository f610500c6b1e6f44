import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Copies } from "./copies.tsx";
import { Engine } from "./engine.tsx";
import { FileState } from "./file-state.tsx";
import { Keys } from "./keys.tsx";
import { Ledger } from "./ledger.tsx";
import { Look } from "./look.tsx";
import { Plan } from "./plan.tsx";
import { SignedIn } from "./signed-in.tsx";

/** What only the owner sees: keys, plan and credits, the engine, the file, its copies, where it is signed in. */
export function View(): JSX.Element {
  useEffect(() => {
    document.title = "Settings · Manuscript";
  }, []);
  return (
    <main id="content" class="settings">
      <h1>Settings</h1>
      <Section
        title="API keys"
        about="For scripts, editors and assistants. A key is shown once; the file keeps only its hash."
      >
        <Keys />
      </Section>
      <Section title="Plan and credits" about="The account lives in the file. Nobody else is asked.">
        <Plan />
        <Ledger />
      </Section>
      <Section
        title="Reading by machine"
        about="Who answers detect, check and synopsis. Without a model, the engine that is built in."
      >
        <Engine />
      </Section>
      <Section title="The file" about="All of your books, with their history, in one file on this computer.">
        <FileState />
      </Section>
      <Section title="Copies" about="Made while the server runs, hourly and daily, and whenever you ask.">
        <Copies />
      </Section>
      <Section
        title="Signed in"
        about="Pages that see this file. A session ends after twelve hours, or when the server stops."
      >
        <SignedIn />
      </Section>
      <Section title="This page" about="Kept in this browser.">
        <Look />
      </Section>
    </main>
  );
}

function Section({
  title,
  about,
  children,
}: {
  title: string;
  about: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section>
      <div>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}
