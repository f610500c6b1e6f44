import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { counted, number } from "../../parts/numbers.ts";
import type { Outline } from "../desk/outline.ts";
import { accept, dismiss } from "./decide.ts";
import type { ProposalGroup } from "./groups.ts";
import { Passage } from "./passage.tsx";

const SHOWN = 40;
const PASSAGES = 3;

/** What could be added to the story map, with where it stands; accepted or set aside one by one or all. */
export function Proposals({
  book,
  groups,
}: {
  book: Outline;
  groups: readonly ProposalGroup[];
}): JSX.Element | null {
  const [most, setMost] = useState(SHOWN);
  const facts = useRead("listFacts", { params: { bookId: book.id } }).answer?.facts ?? [];
  const names = new Map(facts.map(({ id, name }) => [id, name]));
  if (groups.length === 0) return null;
  const clear = groups.filter(({ first }) => first.candidates === undefined);
  const ids = groups.flatMap(({ chapters }) => chapters.map(({ proposal }) => proposal.id));
  return (
    <section class="found">
      <header>
        <h2>
          For the story map <small>{number(groups.length)}</small>
        </h2>
        <p class="acts">
          <button
            type="button"
            class="btn"
            disabled={clear.length === 0}
            onClick={() => void accept(book.id, clear)}
          >
            Accept all {clear.length < groups.length && `that are clear (${number(clear.length)})`}
          </button>
          <button
            type="button"
            class="btn"
            onClick={() => void dismiss(book.id, ids, `${counted(ids.length, "proposal")} set aside.`)}
          >
            Dismiss all
          </button>
        </p>
      </header>
      <ul>
        {groups.slice(0, most).map((group) => (
          <ProposalCard key={group.key} book={book} group={group} names={names} />
        ))}
      </ul>
      {groups.length > most && (
        <button type="button" class="btn plain" onClick={() => setMost(most + SHOWN)}>
          Show more of {number(groups.length)}
        </button>
      )}
    </section>
  );
}

interface Card {
  book: Outline;
  group: ProposalGroup;
  /** Names of the facts that are there, by id. */
  names: ReadonlyMap<string, string>;
}

function ProposalCard({ book, group, names }: Card): JSX.Element {
  const { first, chapters, confidence, places } = group;
  const [meant, setMeant] = useState("");
  const spans = chapters.flatMap(({ chapterId, revision, proposal }) =>
    proposal.occurrences.map((span) => ({ ...span, chapterId, revision })),
  );
  const isOpen = first.candidates !== undefined && meant === "";
  return (
    <li class="proposal">
      <div>
        <h3>{first.name}</h3>
        <p class="soft">
          {whatOf(group, names)} · {counted(places, "place")} · {Math.round(confidence * 100)} % sure
        </p>
        <p>{first.reason}</p>
        {spans.slice(0, PASSAGES).map((span) => (
          <Passage
            key={`${span.blockId} ${span.from}`}
            bookId={book.id}
            span={span}
            version={span.revision}
            title={titleOf(book, span.chapterId)}
          />
        ))}
        {spans.length > PASSAGES && <p class="soft">and {counted(spans.length - PASSAGES, "more place")}</p>}
      </div>
      <p class="acts">
        {first.candidates && (
          <select
            class="field"
            aria-label={`Who ${first.name} is`}
            value={meant}
            onChange={({ currentTarget }) => setMeant(currentTarget.value)}
          >
            <option value="">Who is meant?</option>
            {first.candidates.map((id) => (
              <option key={id} value={id}>
                {names.get(id) ?? id}
              </option>
            ))}
          </select>
        )}
        <button
          type="button"
          class="btn"
          disabled={isOpen}
          aria-label={`Accept ${first.name}`}
          onClick={() => void accept(book.id, [group], meant || undefined)}
        >
          Accept
        </button>
        <button
          type="button"
          class="btn"
          aria-label={`Dismiss ${first.name}`}
          onClick={() =>
            void dismiss(
              book.id,
              chapters.map(({ proposal }) => proposal.id),
              `“${first.name}” is set aside and is not proposed again.`,
            )
          }
        >
          Dismiss
        </button>
      </p>
    </li>
  );
}

function whatOf({ first: { type, kind, factId, candidates } }: ProposalGroup, names: Card["names"]): string {
  const of = factId === null ? "" : ` of ${names.get(factId) ?? "a fact"}`;
  if (type === "new_fact") return `New${kind && ` ${kind}`}`;
  if (candidates !== undefined) return "More than one may be meant";
  return type === "new_alias" ? `Another name${of}` : `A mention${of}`;
}

/** The title of a chapter; it may have been deleted meanwhile. */
export function titleOf({ chapters }: Outline, chapterId: string): string {
  return chapters.find(({ id }) => id === chapterId)?.title ?? "";
}
