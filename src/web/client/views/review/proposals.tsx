import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/fields.tsx";
import { counted, number } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { useMost } from "../../parts/view-head.tsx";
import { accept, dismiss } from "./decide.ts";
import type { ProposalGroup } from "./groups.ts";
import { Found, Passages } from "./passage.tsx";

const SHOWN = 40;
const PASSAGES = 3;

type ProposalsProps = { book: Outline; groups: readonly ProposalGroup[] };

/** Additions to the story map, with the places they come from; accepted or dismissed one by one or all. */
export function Proposals({ book, groups }: ProposalsProps): JSX.Element | null {
  const [most, more] = useMost(groups.length, SHOWN);
  const facts = useRead("listFacts", { params: { bookId: book.id } }).answer?.facts ?? [];
  const names = new Map(facts.map(({ id, name }) => [id, name]));
  if (groups.length === 0) return null;
  const clear = groups.filter(({ first }) => first.candidates === undefined);
  const ids = groups.flatMap(({ chapters }) => chapters.map(({ proposal }) => proposal.id));
  const dismissed = `${counted(ids.length, "proposal")} dismissed.`;
  return (
    <>
      <Found
        title="For the story map"
        count={groups.length}
        acts={
          <>
            <Button disabled={clear.length === 0} onClick={() => accept(book.id, clear)}>
              Accept all {clear.length < groups.length && `that are clear (${number(clear.length)})`}
            </Button>
            <Button onClick={() => dismiss(book.id, ids, dismissed)}>Dismiss all</Button>
          </>
        }
      >
        {groups.slice(0, most).map((group) => (
          <ProposalCard key={group.key} book={book} group={group} names={names} />
        ))}
      </Found>
      {more}
    </>
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
  const spans = chapters.flatMap(({ chapterId, proposal }) =>
    proposal.occurrences.map((span) => ({ ...span, chapterId })),
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
        <Passages book={book} spans={spans.slice(0, PASSAGES)} />
        {spans.length > PASSAGES && <p class="soft">and {counted(spans.length - PASSAGES, "more place")}</p>}
      </div>
      <p class="acts">
        {first.candidates && (
          <Choice
            label={`Who ${first.name} is`}
            value={meant}
            options={[
              ["", "Who is meant?"],
              ...first.candidates.map((id) => [id, names.get(id) ?? id] as const),
            ]}
            onChange={setMeant}
          />
        )}
        <Button
          disabled={isOpen}
          aria-label={`Accept ${first.name}`}
          onClick={() => accept(book.id, [group], meant || undefined)}
        >
          Accept
        </Button>
        <Button
          aria-label={`Dismiss ${first.name}`}
          onClick={() =>
            dismiss(
              book.id,
              chapters.map(({ proposal }) => proposal.id),
              `“${first.name}” is dismissed and will not be proposed again.`,
            )
          }
        >
          Dismiss
        </Button>
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
