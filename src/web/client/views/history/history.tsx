import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/fields.tsx";
import { useKeys } from "../../parts/keys.ts";
import { when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { useTitle } from "../../parts/view.tsx";
import { go, type Place, query } from "../../router.ts";
import { Cost, restoreRevision } from "./cost.tsx";
import { entriesOf, type Revision } from "./entries.ts";
import { type Compared, Timeline } from "./timeline.tsx";
import { WordsBetween } from "./words-between.tsx";
import "../../style/history.css";

/** A chapter's history: its states by day, and what any two of them do not share. */
export function View({ bookId, chapterId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const revisions = useRead("listRevisions", { params: { chapterId } });
  const title = outline.answer?.chapters.find(({ id }) => id === chapterId)?.title ?? "";
  const at = `/b/${bookId}/c/${chapterId}/history`;
  useTitle(`What changed in ${title}`);
  useKeys(
    [
      {
        keys: "Escape",
        does: "Back to the chapter",
        run: () => {
          // What is open above it is closed by the same key.
          if (document.querySelector("dialog[open], :popover-open") === null)
            go(`/b/${bookId}/c/${chapterId}`);
        },
      },
    ],
    [bookId, chapterId],
  );
  return (
    <main id="content" class="history">
      <Await read={revisions}>
        {({ revisions: all }) => {
          const entries = entriesOf(all);
          const compared = { at, ...chosen(all, entries[0]?.before ?? 0) };
          return (
            <div class="columns">
              <Timeline title={title} entries={entries} compared={compared} />
              <section>
                <Head title={title} revisions={all} compared={compared} chapterId={chapterId} />
                <Differences bookId={bookId} chapterId={chapterId} all={all} compared={compared} />
              </section>
            </div>
          );
        }}
      </Await>
    </main>
  );
}

/** The revisions that the address names, else the newest and the one before its sitting. */
function chosen(all: readonly Revision[], before: number): { from: number; to: number } {
  const newest = all.at(-1)?.revision ?? 1;
  const named = (name: string, otherwise: number) => {
    const revision = Number(query.value.get(name));
    return all.some((one) => one.revision === revision) ? revision : otherwise;
  };
  const [from, to] = [named("from", Math.max(1, before)), named("to", newest)];
  return from <= to ? { from, to } : { from: to, to: from };
}

interface HeadProps {
  title: string;
  revisions: readonly Revision[];
  compared: Compared;
  chapterId: string;
}

function Head({ title, revisions, compared: { at, from, to }, chapterId }: HeadProps): JSX.Element {
  const newest = revisions.at(-1)?.revision ?? 1;
  const choose = (chosenFrom: number, chosenTo: number) => go(`${at}?from=${chosenFrom}&to=${chosenTo}`);
  const options = revisions
    .toReversed()
    .map(
      (one) => [one.revision, one.revision === newest ? "now" : `${one.revision} · ${when(one.at)}`] as const,
    );
  return (
    <header>
      <div>
        <p class="between">
          <Choice
            class=""
            label="From revision"
            options={options}
            value={from}
            onChange={(one) => choose(Number(one), to)}
          />
          <span aria-hidden="true"> → </span>
          <Choice
            class=""
            label="To revision"
            options={options}
            value={to}
            onChange={(one) => choose(from, Number(one))}
          />
        </p>
        <h1>
          What changed in <i dir="auto">{title}</i>
        </h1>
      </div>
      {from !== newest && (
        <p class="acts">
          <a class="btn" href={`${at.replace(/\/history$/, "")}?r=${from}`}>
            Read revision {from}
          </a>
          <Button
            kind="first"
            onClick={() => restoreRevision({ id: chapterId, title }, { revision: from, newest, to: at })}
          >
            Restore revision {from}
          </Button>
        </p>
      )}
    </header>
  );
}

interface DifferencesProps {
  bookId: string;
  chapterId: string;
  all: readonly Revision[];
  compared: Compared;
}

function Differences({ bookId, chapterId, all, compared: { from, to } }: DifferencesProps): JSX.Element {
  const newest = all.at(-1)?.revision ?? 1;
  if (from === to)
    return (
      <p class="soft">
        {all.length < 2 ? "Nothing has changed here since it was created." : "These are the same revision."}
      </p>
    );
  return (
    <WordsBetween
      {...{ chapterId, from, to }}
      above={(doc) =>
        from === newest ? null : <Cost {...{ bookId, chapterId, newest, doc }} revision={from} />
      }
    />
  );
}
