import "./writer.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { focusOnce } from "../../parts/button.tsx";
import { schema } from "./text/schema.ts";
import type { Writer } from "./writer.ts";

const MOST_SHOWN = 8;

interface PickerProps {
  writer: Writer;
  bookId: string;
  onDone: () => void;
}

/** Says whom the selected words name: the field begins with them, Enter takes the first that fits. */
export function View({ writer: { view, range }, bookId, onDone }: PickerProps): JSX.Element {
  const facts = useRead("listFacts", { params: { bookId } }).answer?.facts;
  const [selected] = useState(() => range.peek() ?? { from: 0, to: 0 });
  const [typed, setTyped] = useState("");
  const words = view.state.doc.textBetween(selected.from, selected.to, " ").toLowerCase();
  const fitting = (facts ?? [])
    .map((fact) => ({ fact, rank: rankOf([fact.name, ...fact.aliases], typed.toLowerCase(), words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_SHOWN);
  const take = (factId: string) => {
    const mark = schema.marks.mention.create({ factId });
    const { tr, doc } = view.state;
    if (selected.to <= doc.content.size) view.dispatch(tr.addMark(selected.from, selected.to, mark));
    onDone();
    view.focus();
  };
  return (
    <div class="picker">
      <input
        class="field"
        type="text"
        aria-label="Who or what is meant"
        placeholder="Who or what is meant?"
        value={typed}
        ref={focusOnce}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = fitting;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault(); // the text has the focus then, and would take the key
          event.stopPropagation();
          if (event.key === "Enter" && facts === undefined) return; // who there is comes in a moment
          if (event.key === "Enter" && first !== undefined) return take(first.fact.id);
          onDone();
          view.focus();
        }}
      />
      <ul>
        {fitting.map(({ fact }) => (
          <li key={fact.id}>
            <button type="button" onClick={() => take(fact.id)}>
              {fact.name} <small>{fact.kind}</small>
            </button>
          </li>
        ))}
        {facts !== undefined && fitting.length === 0 && <li>Nobody of that name is in the story map.</li>}
      </ul>
    </div>
  );
}

/** How well a fact fits: what is typed counts, and before anything is typed the words that are selected. */
function rankOf(names: readonly string[], typed: string, words: string): number {
  const all = names.map((name) => name.toLowerCase());
  if (typed !== "")
    return Math.max(0, ...all.map((name) => (name.startsWith(typed) ? 2 : name.includes(typed) ? 1 : 0)));
  return all.some((name) => name === words) ? 3 : all.some((name) => name.includes(words)) ? 2 : 1;
}
