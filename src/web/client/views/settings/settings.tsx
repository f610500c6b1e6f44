import type { ComponentType, JSX } from "preact";
import { KeysTick } from "../../parts/choices/keys-tick.tsx";
import { theme } from "../../parts/choices/look.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { useTitle } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import "../../style/settings.css";
import { Account } from "./account.tsx";
import { Copies } from "./copies.tsx";
import { Engine } from "./engine.tsx";
import { FileState } from "./file-state.tsx";
import { Keys } from "./keys.tsx";
import { Manuscripts } from "./manuscripts.tsx";
import { SignedIn } from "./signed-in.tsx";
import { Writing } from "./writing.tsx";

const THEMES = [
  ["", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

const SECTIONS: readonly { title: string; about: string; Of: ComponentType }[] = [
  {
    title: "Writing",
    about: "How prose is set where you read and write it. Kept in this browser.",
    Of: Writing,
  },
  { title: "This page", about: "Kept in this browser.", Of: Look },
  {
    title: "Manuscripts",
    about: "Each is one file with all of its books, and opens in a window of its own.",
    Of: Manuscripts,
  },
  {
    title: "Copies",
    about: "Made every hour and every day while the server runs, and whenever you ask.",
    Of: Copies,
  },
  {
    title: "The file",
    about: "All of your books, with their history, in one file on this computer.",
    Of: FileState,
  },
  {
    title: "Signed in",
    about:
      "The browsers that can see this file. A session ends when the program stops; a server’s after twelve hours.",
    Of: SignedIn,
  },
  {
    title: "API keys",
    about: "For scripts, editors and assistants. A key is shown once; the file keeps only its hash.",
    Of: Keys,
  },
  {
    title: "Machine reading",
    about: "What answers detect, check and synopsis: a language model, or the built-in engine.",
    Of: Engine,
  },
  { title: "Plan and credits", about: "The account lives in the file. Nobody else is asked.", Of: Account },
];

/** The owner's view: how prose is set, the file and its copies, who has access, the engine, plan and credits. */
export function View(): JSX.Element {
  useTitle("Settings · Manuscript");
  return (
    <main id="content" class="settings">
      <ViewHead title="Settings" />
      {SECTIONS.map(({ title, about, Of }) => (
        <section key={title} class="columns">
          <div>
            <h2>{title}</h2>
            <small>{about}</small>
          </div>
          <div>
            <Of />
          </div>
        </section>
      ))}
    </main>
  );
}

/** The look of the page and its shortcuts, in this browser. */
function Look(): JSX.Element {
  return (
    <>
      <Switch label="Light or dark" kind="seg" options={THEMES} chosen={theme} />
      <KeysTick>
        (press <kbd>?</kbd> to see them)
      </KeysTick>
      <p class="soft">
        Set in Literata and Source Sans 3, under the SIL Open Font License;{" "}
        <a class="link" href="/assets/LICENCES.txt">
          licences of everything this page contains
        </a>
        .{" "}
        <a class="link" href="/docs">
          The API
        </a>
      </p>
    </>
  );
}
