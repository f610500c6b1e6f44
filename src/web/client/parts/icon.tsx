import type { IconNode } from "lucide";
import { h, type JSX } from "preact";

/** A drawing of lucide's set; what it means is said beside it or by the control that it stands in. */
export function Icon({ of }: { of: IconNode }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => h(tag, { key: index, ...attributes }))}
    </svg>
  );
}
