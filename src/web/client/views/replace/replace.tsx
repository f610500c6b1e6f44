import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Tick } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { useTitle } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import { type Place, query } from "../../router.ts";
import "../../style/replace.css";
import { chosenOf, faultOf, findsIn, type Plan } from "./places.ts";
import { PlanChapters } from "./plan-chapters.tsx";

interface Wanted {
  find: string;
  with: string;
  regex: boolean;
  matchCase: boolean;
}

/** The pause in typing after which the plan is asked for. */
const PAUSE_MS = 350;

/** Words replaced in the whole book: every find is shown in its sentence first, and those that are meant are chosen. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const [wanted, setWanted] = useState<Wanted>(() => ({
    find: query.value.get("find") ?? "",
    with: query.value.get("with") ?? "",
    regex: false,
    matchCase: false,
  }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const pattern = faultOf(wanted.find, wanted.regex);
  const isAsked = wanted.find.trim() !== "" && pattern === undefined;
  const { answer, refusal, isLoading } = useAnswer(
    "replaceInBook",
    isAsked ? { params: { bookId }, query: { dryRun: "1" }, body: wanted } : undefined,
    { version: outline.etag, pauseMs: PAUSE_MS },
  );
  const plan = isAsked ? answer : undefined;
  useTitle(`Replace · ${outline.answer?.title ?? "Manuscript"}`);
  const change = (changed: Partial<Wanted>) => {
    if (changed.find !== undefined || changed.regex !== undefined) setLeft(new Set());
    setWanted({ ...wanted, ...changed });
  };
  return (
    <main id="content" class="replace">
      <ViewHead
        title="Replace across the book"
        about="Nothing is written until you press Replace. You can undo it as one change."
      />
      <WantedForm wanted={wanted} onChange={change} fault={pattern ?? refusal} />
      {plan === undefined ? (
        isLoading && <p class="loading">One moment …</p>
      ) : (
        <>
          <Summary
            plan={plan}
            left={left}
            wanted={wanted}
            bookId={bookId}
            isStale={isLoading === true}
            onDone={() => setLeft(new Set())}
          />
          <PlanChapters bookId={bookId} plan={plan} left={left} onLeave={setLeft} />
        </>
      )}
    </main>
  );
}

interface WantedProps {
  wanted: Wanted;
  onChange: (changed: Partial<Wanted>) => void;
  fault: string | undefined;
}

function WantedForm({ wanted, onChange, fault }: WantedProps): JSX.Element {
  return (
    <Form class="wanted" onSave={() => undefined}>
      <Field
        label="Find"
        dir="auto"
        value={wanted.find}
        autofocus
        aria-invalid={fault !== undefined}
        aria-describedby="replace-fault"
        onInput={({ currentTarget }) => onChange({ find: currentTarget.value })}
      />
      <Field
        label="Replace with"
        dir="auto"
        value={wanted.with}
        placeholder="nothing: removes it"
        onInput={({ currentTarget }) => onChange({ with: currentTarget.value })}
      />
      <Tick isOn={wanted.matchCase} onChange={(matchCase) => onChange({ matchCase })}>
        Same case only
      </Tick>
      <Tick isOn={wanted.regex} onChange={(regex) => onChange({ regex })}>
        Regular expression
      </Tick>
      <p id="replace-fault" class={fault === undefined ? "soft" : ""} role="status">
        {fault ??
          (wanted.regex
            ? "In the replacement, $1 and $<name> stand for groups, $& for the whole match."
            : "Whole words in any case; the replacement takes the case of what it replaces.")}
      </p>
    </Form>
  );
}

interface SummaryProps {
  plan: Plan;
  left: ReadonlySet<string>;
  wanted: Wanted;
  bookId: string;
  isStale: boolean;
  onDone: () => void;
}

function Summary({ plan, left, wanted, bookId, isStale, onDone }: SummaryProps): JSX.Element {
  const finds = plan.chapters.flatMap(findsIn);
  const chosen = finds.filter(({ key }) => !left.has(key)).length;
  const dropped = plan.chapters.reduce((sum, { mentionsDropped }) => sum + mentionsDropped.length, 0);
  const replace = () =>
    void write(
      "replaceInBook",
      { params: { bookId }, body: { ...wanted, only: chosenOf(plan, left) } },
      ({ replaced, chapters }) => `${number(replaced)} replaced in ${counted(chapters.length, "chapter")}.`,
    ).then((answer) => answer && onDone());
  return (
    <section class="summary" aria-label="What would be replaced">
      <p role="status">
        {plan.replaced === 0 ? (
          "Not found in the prose."
        ) : (
          <>
            <b>{number(chosen)}</b> of {counted(plan.replaced, "place")} in{" "}
            {counted(plan.chapters.length, "chapter")}.
          </>
        )}
        {plan.skipped > 0 && ` ${number(plan.skipped)} in code, tables and addresses stay as they are.`}
        {dropped > 0 &&
          ` ${counted(dropped, "mention")} would go with ${dropped === 1 ? "its" : "their"} words.`}
      </p>
      {plan.replaced > 0 && (
        <Button kind="first" disabled={chosen === 0 || isStale} onClick={replace}>
          Replace {number(chosen)}
        </Button>
      )}
    </section>
  );
}
