import type { JSX } from "preact";

/** A bar that is filled up to a part of it, 0 to 1; its number stands beside it. */
export function Meter({ part }: { part: number }): JSX.Element {
  return (
    <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" rx="2" />
      <rect width={100 * Math.min(1, part)} height="4" rx="2" />
    </svg>
  );
}
