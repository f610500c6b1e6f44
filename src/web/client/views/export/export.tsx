import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { asProblem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Tick } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { tell } from "../../parts/toasts.tsx";
import { BookView, type Outline } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import { type Place, query } from "../../router.ts";
import "../../style/export.css";
import { makeDocument, save } from "./download.ts";
import { Preview, type Previewed } from "./preview.tsx";

const FORMATS = [
  ["docx", "Word", "For an agent or an editor. It can come back with its changes."],
  ["epub", "EPUB", "For e-readers and shops."],
  ["pdf", "PDF", "Your browser prints it: choose “Save as PDF” there."],
  ["html", "One HTML file", "Opens in any browser, and prints well."],
  ["review", "File for beta readers", "They comment in it, and you drop here what they send you."],
] as const;

const STYLES = [
  ["manuscript", "Standard manuscript"],
  ["plain", "Plain"],
] as const;

const KINDS = [
  ["note", "Notes"],
  ["reference", "References"],
  ["todo", "To do"],
  ["research", "Research"],
] as const;

interface Choices {
  format: (typeof FORMATS)[number][0];
  style: (typeof STYLES)[number][0];
  /** Ids of chapters; undefined for all of them. */
  chapters: ReadonlySet<string> | undefined;
  kinds: ReadonlySet<string>;
}

/** The way out of the manuscript: what to export, and how. */
export function View({ bookId }: Place): JSX.Element {
  return (
    <BookView key={bookId + query.value.get("format")} bookId={bookId} title="Export" kind="export">
      {(book) => <Export book={book} />}
    </BookView>
  );
}

function Export({ book }: { book: Outline }): JSX.Element {
  const [choices, setChoices] = useState<Choices>({
    format: FORMATS.find(([format]) => format === query.value.get("format"))?.[0] ?? "docx",
    style: "manuscript",
    chapters: undefined,
    kinds: new Set(),
  });
  const [shown, setShown] = useState<Previewed>();
  const [isBusy, setBusy] = useState(false);
  const { format, style, kinds } = choices;
  const make = async (run: () => Promise<void>) => {
    setBusy(true);
    await run().catch((thrown) => tell(asProblem(thrown).message, { isProblem: true }));
    setBusy(false);
  };
  const show = (prints: boolean) =>
    make(async () => {
      const { bytes } = await makeDocument(book.id, { format: "html", ...chaptersOf(book, choices) });
      setShown({ html: await bytes.text(), prints });
    });
  const download = () => {
    if (format === "pdf") return show(true);
    const notes = kinds.size === 0 ? {} : { notes: [...kinds].join(",") };
    const ofWord = format === "docx" ? { style, ...notes } : {};
    return make(async () =>
      save(await makeDocument(book.id, { format, ...chaptersOf(book, choices), ...ofWord })),
    );
  };
  return (
    <>
      <ViewHead title="Export" about="A copy goes out; the book stays as it is." />
      <div class="columns">
        <Form class="form" onSave={download}>
          <Chosen book={book} choices={choices} onChange={(to) => setChoices({ ...choices, ...to })} />
          <p class="acts">
            <Button type="submit" kind="first" disabled={isBusy || choices.chapters?.size === 0}>
              {format === "pdf" ? "Print …" : "Download"}
            </Button>
            <Button disabled={isBusy || choices.chapters?.size === 0} onClick={() => show(false)}>
              Preview
            </Button>
            {isBusy && <span role="status">One moment …</span>}
          </p>
          <p class="soft">
            <code>manuscript export</code> writes a folder of Markdown with everything in it, and a typeset
            PDF.
          </p>
        </Form>
        {shown !== undefined && <Preview of={shown} />}
      </div>
    </>
  );
}

/** The numbers of the chosen chapters, as they are asked for. */
function chaptersOf({ chapters: all }: Outline, { chapters }: Choices): { chapters?: string } {
  if (chapters === undefined) return {};
  return { chapters: all.flatMap(({ id }, at) => (chapters.has(id) ? [at + 1] : [])).join() };
}

interface ChosenProps {
  book: Outline;
  choices: Choices;
  onChange: (changed: Partial<Choices>) => void;
}

function Chosen({ book, choices, onChange }: ChosenProps): JSX.Element {
  const { format, style, kinds } = choices;
  return (
    <>
      <fieldset>
        <legend class="hidden">Format</legend>
        {FORMATS.map(([one, name, about]) => (
          <label key={one} class="format">
            <input
              type="radio"
              name="format"
              checked={one === format}
              onChange={() => onChange({ format: one })}
            />
            <b>{name}</b>
            <small>{about}</small>
          </label>
        ))}
      </fieldset>
      {format === "docx" && (
        <Choice
          isShown
          label="Style"
          value={style}
          options={STYLES}
          onChange={(to) => onChange({ style: to === "plain" ? "plain" : "manuscript" })}
        />
      )}
      <Chapters book={book} choices={choices} onChange={onChange} />
      {format === "docx" && (
        <fieldset class="acts">
          <legend>Your notes are private. Those that you tick go along as comments:</legend>
          {KINDS.map(([kind, name]) => (
            <Tick
              key={kind}
              isOn={kinds.has(kind)}
              onChange={(isOn) => onChange({ kinds: withOne(kinds, kind, isOn) })}
            >
              {name}
            </Tick>
          ))}
        </fieldset>
      )}
    </>
  );
}

function Chapters({ book, choices: { chapters }, onChange }: ChosenProps): JSX.Element {
  return (
    <>
      <Choice
        isShown
        label="Chapters"
        value={chapters === undefined ? "all" : "some"}
        options={[
          ["all", `All ${book.chapters.length}`],
          ["some", "A choice"],
        ]}
        onChange={(to) => onChange({ chapters: to === "all" ? undefined : new Set() })}
      />
      {chapters !== undefined && (
        <fieldset class="box ticks">
          <legend class="hidden">Chapters to export</legend>
          {book.chapters.map(({ id, title }) => (
            <Tick
              key={id}
              isOn={chapters.has(id)}
              onChange={(isOn) => onChange({ chapters: withOne(chapters, id, isOn) })}
            >
              <span dir="auto">{title}</span>
            </Tick>
          ))}
        </fieldset>
      )}
    </>
  );
}

function withOne(set: ReadonlySet<string>, one: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(set);
  if (isIn) changed.add(one);
  else changed.delete(one);
  return changed;
}
