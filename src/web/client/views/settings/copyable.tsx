import { Copy } from "lucide";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";

/** A text to take elsewhere. Where a browser gives no clipboard (plain HTTP from another machine) it is selected instead. */
export function Copyable({ text, label }: { text: string; label: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState("Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setSaid("Press Ctrl C");
    }
  };
  return (
    <p class="copy">
      <code ref={code}>{text}</code>
      <button type="button" class="btn" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        <Icon of={Copy} />
        {said}
      </button>
    </p>
  );
}
