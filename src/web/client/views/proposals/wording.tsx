import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { focusOnce } from "../../parts/button.tsx";
import { Form, FormEnd } from "../../parts/form.tsx";

interface WordingProps {
  /** The words that accepting would leave now. */
  words: string;
  onSave: (markdown: string) => Promise<void>;
  onCancel: () => void;
}

/** A field for the writer's own words, which starts with the proposed ones. */
export function Wording({ words, onSave, onCancel }: WordingProps): JSX.Element {
  const [first] = useState(words);
  const [markdown, setMarkdown] = useState(words);
  return (
    <Form class="form wording" onSave={() => onSave(markdown)} onCancel={onCancel}>
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
      <FormEnd save="Accept in these words" isOff={markdown.trim() === ""} onCancel={onCancel} />
    </Form>
  );
}
