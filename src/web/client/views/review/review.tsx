import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Choice } from "../../parts/fields.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { BookView, type Outline } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import type { OutlineChapter } from "../desk/outline.ts";
import { Findings } from "./findings.tsx";
import { findingsOf, groupsOf } from "./groups.ts";
import { lookedIn } from "./looked.ts";
import { Proposals } from "./proposals.tsx";
import { run, start, stop, type Task } from "./run.ts";
import "../../style/review.css";
import { Button } from "../../parts/button.tsx";
import type { Place } from "../../router.ts";

/** Searches chapters for additions to the story map and for contradictions, and shows what was found. */
export function View({ bookId }: Place): JSX.Element {
  return (
    <BookView bookId={bookId} title="Review" kind="review">
      {(book) => <Review book={book} />}
    </BookView>
  );
}

function Review({ book }: { book: Outline }): JSX.Element {
  const looked = lookedIn(book.id);
  const groups = useMemo(() => groupsOf(looked), [looked]);
  const findings = useMemo(() => findingsOf(looked), [looked]);
  const isNothingLeft =
    groups.length + findings.length === 0 && looked.proposals.size + looked.findings.size > 0;
  return (
    <>
      <ViewHead
        title="Review"
        about={
          <>
            Search chapters for people, places and slips. Nothing is written into the{" "}
            <a class="link" href={`/b/${book.id}/map`}>
              story map
            </a>{" "}
            or the prose until you accept it. Changes that others suggest for the prose are among the{" "}
            <a class="link" href={`/b/${book.id}/proposals`}>
              proposals
            </a>
            .
          </>
        }
      />
      <Ask book={book} />
      <Progress bookId={book.id} />
      {isNothingLeft && run.value?.isOver && <p class="empty">Nothing is left to review.</p>}
      {looked.isWithoutCast && (
        <p class="empty">
          Only dates were compared, because the story map is empty. Look for more, accept who belongs in it,
          then check again.
        </p>
      )}
      <Findings book={book} findings={findings} />
      <Proposals book={book} groups={groups} />
    </>
  );
}

const TASKS: readonly { task: Task; name: string; about: string }[] = [
  { task: "detectMentions", name: "Look for more", about: "people, places and things for the story map" },
  { task: "checkConsistency", name: "Check", about: "contradictions and names that change" },
];

function Ask({ book }: { book: Outline }): JSX.Element {
  const [chosen, setChosen] = useState("");
  const chapters = book.chapters.filter(
    ({ id, wordCount }) => (chosen === "" ? true : id === chosen) && wordCount > 0,
  );
  const isBusy = run.value?.isOver === false;
  return (
    <section class="ask" aria-label="Chapters to search">
      <Choice
        label="In which chapters"
        value={chosen}
        options={[
          ["", "In all chapters"],
          ...book.chapters.map(({ id, title, position }) => [id, `${position} · ${title}`] as const),
        ]}
        onChange={setChosen}
      />
      {TASKS.map(({ task, name, about }) => (
        <div key={task}>
          <Button
            kind="first"
            disabled={isBusy || chapters.length === 0}
            onClick={() => start(book.id, task, chapters)}
          >
            {name}
          </Button>
          <small>{about}</small>
        </div>
      ))}
      <Cost chapters={chapters} />
    </section>
  );
}

/** The highest cost of searching these chapters, and the credits there are. Source: the documents, Tiers and their cost. */
function Cost({ chapters }: { chapters: readonly OutlineChapter[] }): JSX.Element {
  const account = useRead("readAccount", {}).answer;
  if (chapters.length === 0) return <p class="price">There is no prose to search yet.</p>;
  const cost = chapters.reduce((sum, { wordCount }) => sum + Math.max(1, Math.ceil(wordCount / 1000)), 0);
  const left = account && leftOf(account);
  return (
    <p class="price">
      Each costs at most <b>{counted(cost, "credit")}</b>; a chapter that has not changed since it was last
      searched costs nothing. {left === Number.POSITIVE_INFINITY && "Your plan has no limit."}
      {left !== undefined && left !== Number.POSITIVE_INFINITY && (
        <>
          You have <b>{counted(left, "credit")}</b>
          {left < cost ? ", so it would stop before the end." : "."}
        </>
      )}
    </p>
  );
}

function leftOf({ subscription, allowance: { perMonth, used }, credits }: Answer<"readAccount">): number {
  if (!subscription.active) return credits;
  return perMonth === null ? Number.POSITIVE_INFINITY : Math.max(0, perMonth - used) + credits;
}

function Progress({ bookId }: { bookId: string }): JSX.Element | null {
  const now = run.value;
  if (now === undefined || now.bookId !== bookId) return null;
  const { chapters, done, isOver, refusal, failed } = now;
  if (isOver)
    return refusal === undefined ? (
      <p role="status">
        {counted(done, "chapter")} searched.
        {failed &&
          ` The language model did not answer in ${number(failed.chapters)} of them (${failed.reason}); the embedded engine did, free of charge.`}
      </p>
    ) : (
      <p role="alert" class="callout">
        {refusal}{" "}
        <a class="link" href="/settings">
          Settings
        </a>
      </p>
    );
  return (
    <p class="acts" role="status">
      <progress max={chapters.length} value={done} aria-label="Chapters searched" />
      <span>
        {number(done + 1)} of {number(chapters.length)}: <i class="serif">{chapters[done]?.title}</i>
      </span>
      <Button onClick={stop}>Stop</Button>
    </p>
  );
}
