import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { focusOnce } from "../../parts/focus.ts";

/** What is accepted in the writer's own words, begun with what was proposed. */
export function Wording({
  words,
  onSave,
  onCancel,
}: {
  /** What accepting would leave now. */
  words: string;
  onSave: (markdown: string) => Promise<void>;
  onCancel: () => void;
}): JSX.Element {
  const [first] = useState(words);
  const [markdown, setMarkdown] = useState(words);
  const save = (event: Event) => {
    event.preventDefault();
    void onSave(markdown);
  };
  return (
    <form
      class="wording"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
      }}
    >
      <textarea
        class="field"
        aria-label="Your own words, in Markdown"
        rows={Math.min(14, 2 + Math.ceil(first.length / 60))}
        value={markdown}
        dir="auto"
        ref={focusOnce}
        onInput={({ currentTarget }) => setMarkdown(currentTarget.value)}
      />
      {words !== first && <p role="status">The paragraph has changed since; above is how it is now.</p>}
      <p class="acts-line">
        <button type="submit" class="btn first" disabled={markdown.trim() === ""}>
          Accept in these words
        </button>
        <button type="button" class="btn" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}
