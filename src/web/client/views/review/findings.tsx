import { CircleAlert, Info, TriangleAlert } from "lucide";
import type { JSX } from "preact";
import { Icon } from "../../parts/icon.tsx";
import { counted, number } from "../../parts/numbers.ts";
import type { Outline } from "../desk/outline.ts";
import { dismiss } from "./decide.ts";
import type { Finding } from "./looked.ts";
import { Passage } from "./passage.tsx";
import { titleOf } from "./proposals.tsx";

const SIGNS = { error: CircleAlert, warn: TriangleAlert, info: Info } as const;
const SAID = { error: "A contradiction", warn: "Perhaps a slip", info: "Worth a look" } as const;

/** What contradicts itself, with the passages that show it; set aside one by one or all. */
export function Findings({
  book,
  findings,
}: {
  book: Outline;
  findings: readonly Finding[];
}): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <section class="found">
      <header>
        <h2>
          To look at again <small>{number(findings.length)}</small>
        </h2>
        <p class="acts">
          <button
            type="button"
            class="btn"
            onClick={() =>
              void dismiss(
                book.id,
                findings.map(({ id }) => id),
                `${counted(findings.length, "finding")} set aside.`,
              )
            }
          >
            Dismiss all
          </button>
        </p>
      </header>
      <ul>
        {findings.map((finding) => (
          <FindingCard key={finding.id} book={book} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function FindingCard({ book, finding }: { book: Outline; finding: Finding }): JSX.Element {
  const { id, type, severity, message, evidence, suggestion } = finding;
  const isName = type === "name_drift";
  const drifted = evidence.find(({ text }) => text !== suggestion)?.text ?? "";
  const setAside = (done: string) => void dismiss(book.id, [id], done);
  return (
    <li class="finding">
      <Icon of={SIGNS[severity]} />
      <div>
        <h3>
          <span class="hidden">{SAID[severity]}: </span>
          {message}
        </h3>
        {suggestion !== null && !isName && <p class="soft">Perhaps “{suggestion}” is meant.</p>}
        {evidence.map((span) => (
          <Passage
            key={`${span.blockId} ${span.from}`}
            bookId={book.id}
            span={span}
            version={book.chapters.find((chapter) => chapter.id === span.chapterId)?.revision ?? 0}
            title={titleOf(book, span.chapterId)}
          />
        ))}
      </div>
      <p class="acts">
        {isName && suggestion !== null && (
          <a
            class="btn"
            href={`/b/${book.id}/replace?${new URLSearchParams({ find: drifted, with: suggestion })}`}
          >
            Replace…
          </a>
        )}
        {isName ? (
          <button
            type="button"
            class="btn"
            onClick={() => setAside(`“${drifted}” is another one; that is not told again.`)}
          >
            Another person
          </button>
        ) : (
          <button
            type="button"
            class="btn"
            onClick={() => setAside("The finding is set aside and is not told again.")}
          >
            Dismiss
          </button>
        )}
      </p>
    </li>
  );
}
