import type { ComponentChildren, JSX } from "preact";
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
export function Count({
  of,
  one,
  many = `${one}s`,
}: {
  of: number;
  one: string;
  many?: string;
}): JSX.Element {
  return (
    <>
      <b>{number(of)}</b> {of === 1 ? one : many}
    </>
  );
}

/** The button behind a list of which only a part is shown; null once all of it is. */
export function More({
  shown,
  all,
  noun = "",
  onMore,
}: {
  shown: number;
  all: number;
  noun?: string;
  onMore: () => void;
}): JSX.Element | null {
  if (shown >= all) return null;
  return (
    <Button kind="plain" onClick={onMore}>
      Show all {number(all)}
      {noun && ` ${noun}`}
    </Button>
  );
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
