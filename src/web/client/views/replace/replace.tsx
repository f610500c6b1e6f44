import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { counted, number } from "../../parts/numbers.ts";
import { query } from "../../router.ts";
import type { Place } from "../../views.tsx";
import { chosenOf, findsIn, type Plan } from "./places.ts";
import { PlanChapters } from "./plan-chapters.tsx";
import { usePlan, type Wanted } from "./use-plan.ts";

/** Words replaced in the whole book: every find is shown in its sentence first, and those that are meant are chosen. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const [wanted, setWanted] = useState<Wanted>(() => ({
    find: query.value.get("find") ?? "",
    with: "",
    regex: false,
    matchCase: false,
  }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { plan, fault, isLoading } = usePlan(bookId, wanted, outline.etag);
  useEffect(() => {
    document.title = `Replace · ${outline.answer?.title ?? "Manuscript"}`;
  }, [outline.answer?.title]);
  const change = (changed: Partial<Wanted>) => {
    if (changed.find !== undefined || changed.regex !== undefined) setLeft(new Set());
    setWanted({ ...wanted, ...changed });
  };
  return (
    <main id="content" class="replace">
      <header class="head">
        <div>
          <h1>Replace across the book</h1>
          <p>Nothing is written until you say so. What is written is one act, with its undo.</p>
        </div>
      </header>
      <WantedForm wanted={wanted} onChange={change} fault={fault} />
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

function WantedForm({
  wanted,
  onChange,
  fault,
}: {
  wanted: Wanted;
  onChange: (changed: Partial<Wanted>) => void;
  fault: string | undefined;
}): JSX.Element {
  return (
    <form class="wanted" onSubmit={(event) => event.preventDefault()}>
      <label>
        Find
        <input
          class="field"
          dir="auto"
          value={wanted.find}
          autofocus
          aria-invalid={fault !== undefined}
          aria-describedby="replace-fault"
          onInput={({ currentTarget }) => onChange({ find: currentTarget.value })}
        />
      </label>
      <label>
        Replace with
        <input
          class="field"
          dir="auto"
          value={wanted.with}
          placeholder="nothing: takes it out"
          onInput={({ currentTarget }) => onChange({ with: currentTarget.value })}
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={wanted.matchCase}
          onChange={({ currentTarget }) => onChange({ matchCase: currentTarget.checked })}
        />{" "}
        Same case only
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={wanted.regex}
          onChange={({ currentTarget }) => onChange({ regex: currentTarget.checked })}
        />{" "}
        Regular expression
      </label>
      <p id="replace-fault" class={fault === undefined ? "soft" : "fault"} role="status">
        {fault ??
          (wanted.regex
            ? "In what is put there, $1 and $<name> stand for groups, $& for all that was found."
            : "Whole words in any case; what is put there takes the case of what it replaces.")}
      </p>
    </form>
  );
}

function Summary({
  plan,
  left,
  wanted,
  bookId,
  isStale,
  onDone,
}: {
  plan: Plan;
  left: ReadonlySet<string>;
  wanted: Wanted;
  bookId: string;
  isStale: boolean;
  onDone: () => void;
}): JSX.Element {
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
          "Found nowhere in the prose."
        ) : (
          <>
            <b>{number(chosen)}</b> of {counted(plan.replaced, "place")} in{" "}
            {counted(plan.chapters.length, "chapter")}.
          </>
        )}
        {plan.skipped > 0 && ` ${number(plan.skipped)} in code, tables and addresses stay.`}
        {dropped > 0 &&
          ` ${counted(dropped, "mention")} would go with ${dropped === 1 ? "its" : "their"} words.`}
      </p>
      {plan.replaced > 0 && (
        <button type="button" class="btn first" disabled={chosen === 0 || isStale} onClick={replace}>
          Replace {number(chosen)}
        </button>
      )}
    </section>
  );
}
