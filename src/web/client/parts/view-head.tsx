import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { number } from "./numbers.ts";

/** The head of a view: its title, a sentence below it, and what can be done. */
export function ViewHead({
  title,
  about,
  children,
}: {
  title: ComponentChildren;
  about?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="head">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children}
    </header>
  );
}

/** A number in bold, with its noun behind it. */
export function Count({ of, one }: { of: number; one: string }): JSX.Element {
  return (
    <>
      <b>{number(of)}</b> {of === 1 ? one : `${one}s`}
    </>
  );
}

/** How many of a list are shown, at first `step`, and the button behind it that shows so many more. */
export function useMost(all: number, step: number): [most: number, more: JSX.Element | false] {
  const [most, setMost] = useState(step);
  const more = most < all && (
    <Button kind="plain" onClick={() => setMost(most + step)}>
      Show more of {number(all)}
    </Button>
  );
  return [most, more];
}

/** A text in which these stretches are marked; of two that overlap, the first. */
export function Highlighted({
  text,
  highlights,
}: {
  text: string;
  highlights: readonly (readonly [from: number, to: number])[];
}): JSX.Element {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const [from, to] of highlights.toSorted(([one], [other]) => one - other)) {
    if (from < end) continue;
    parts.push(text.slice(end, from), <mark>{text.slice(from, to)}</mark>);
    end = to;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
