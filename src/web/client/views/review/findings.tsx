import { CircleAlert, Info, TriangleAlert } from "lucide";
import type { JSX } from "preact";
import { Button, Icon } from "../../parts/button.tsx";
import { counted } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { dismiss } from "./decide.ts";
import type { Finding } from "./looked.ts";
import { Found, Passages } from "./passage.tsx";

const SIGNS = { error: CircleAlert, warn: TriangleAlert, info: Info } as const;
const SAID = { error: "A contradiction", warn: "Perhaps a slip", info: "Worth a look" } as const;

type FindingsProps = { book: Outline; findings: readonly Finding[] };

/** The contradictions, with the passages that show them; dismissed one by one or all. */
export function Findings({ book, findings }: FindingsProps): JSX.Element | null {
  if (findings.length === 0) return null;
  const ids = findings.map(({ id }) => id);
  const done = `${counted(ids.length, "finding")} dismissed.`;
  return (
    <Found
      title="Worth another look"
      count={findings.length}
      acts={<Button onClick={() => dismiss(book.id, ids, done)}>Dismiss all</Button>}
    >
      {findings.map((finding) => (
        <FindingCard key={finding.id} book={book} finding={finding} />
      ))}
    </Found>
  );
}

function FindingCard({ book, finding }: { book: Outline; finding: Finding }): JSX.Element {
  const { id, type, severity, message, evidence, suggestion } = finding;
  const isName = type === "name_drift";
  const drifted = evidence.find(({ text }) => text !== suggestion)?.text ?? "";
  const setAside = (done: string) => () => dismiss(book.id, [id], done);
  return (
    <li class="finding">
      <div>
        <h3>
          <Icon of={SIGNS[severity]} />
          <span class="hidden">{SAID[severity]}: </span>
          {message}
        </h3>
        {suggestion !== null && !isName && <p class="soft">Perhaps “{suggestion}” is meant.</p>}
        <Passages book={book} spans={evidence} />
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
          <Button onClick={setAside(`“${drifted}” is someone else; it will not be reported again.`)}>
            Another person
          </Button>
        ) : (
          <Button onClick={setAside("The finding is dismissed and will not be reported again.")}>
            Dismiss
          </Button>
        )}
      </p>
    </li>
  );
}
