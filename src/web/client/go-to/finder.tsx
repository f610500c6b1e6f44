import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api/operations.ts";
import { useRead } from "../api/reads.ts";
import { useAnswer } from "../api/use-answer.ts";
import { takeTyped } from "../parts/ahead.ts";
import { focusOnce } from "../parts/button.tsx";
import { shortcuts } from "../parts/keys.ts";
import { Highlighted } from "../parts/view-head.tsx";
import { go } from "../router.ts";
import { commandsOf } from "./commands.ts";
import { closest, type Target } from "./targets.ts";
import "../style/go-to.css";

/** A pause in typing after which the book is searched. */
const PAUSE_MS = 150;

/** The field, and below it what it finds. */
export function View({ bookId, onDone }: { bookId: string | undefined; onDone: () => void }): JSX.Element {
  const [text, setText] = useState(takeTyped);
  const [chosen, setChosen] = useState(0);
  const found = useFound(bookId, text);
  const targets = [...useTargets(bookId, text), ...found];
  const at = Math.min(chosen, targets.length - 1);
  const take = (target: Target | undefined) => {
    if (target === undefined) return;
    onDone();
    if (target.run !== undefined) target.run();
    else if (target.to !== undefined) go(target.to);
  };
  return (
    <>
      <input
        class="field"
        type="text"
        // biome-ignore lint/a11y/noRedundantRoles: it is implied only where there is a list, and there is none
        role="combobox"
        list={undefined}
        aria-label="Go to, or search"
        aria-expanded={targets.length > 0}
        aria-controls="go-to-list"
        aria-activedescendant={at >= 0 ? `go-to-${at}` : undefined}
        placeholder="A chapter, a person, a command, some words"
        value={text}
        ref={focusOnce}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (by !== 0) setChosen((at + by + targets.length) % Math.max(1, targets.length));
          if (event.key === "Enter") take(targets[at]);
          if (by !== 0 || event.key === "Enter") event.preventDefault();
        }}
      />
      <div role="listbox" id="go-to-list" aria-label="Found">
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: likewise
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the field
          <div
            key={target.key}
            id={`go-to-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => take(target)}
          >
            <span>{target.shown ?? target.name}</span>
            <small>{target.kind}</small>
          </div>
        ))}
      </div>
      {targets.length === 0 && text.trim() !== "" && (
        <p class="soft">Nothing has that name, and no chapter contains it.</p>
      )}
    </>
  );
}

/** Chapters, facts, views and commands of that name, the closest first. */
function useTargets(bookId: string | undefined, text: string): readonly Target[] {
  const ofBook = bookId === undefined ? undefined : { params: { bookId } };
  const book = useRead("readOutline", ofBook).answer;
  const facts = useRead("listFacts", ofBook).answer?.facts ?? [];
  const books = useRead("listBooks", {}).answer?.books ?? [];
  const all: Target[] = [
    ...(book?.chapters ?? []).map(({ id, title }) => ({
      key: id,
      name: title,
      kind: "Chapter",
      to: `/b/${bookId}/c/${id}`,
    })),
    ...facts.map(({ id, name, kind, aliases }) => ({
      key: id,
      name,
      also: aliases,
      kind: kind || "Fact",
      to: `/b/${bookId}/map/${id}`,
    })),
    ...commandsOf(bookId),
    ...books.map(({ id, title }) => ({ key: id, name: title, kind: "Book", to: `/b/${id}` })),
    ...shortcuts.value
      .filter(({ keys }) => keys !== "/" && keys !== "Ctrl+k")
      .map(({ keys, does, run }) => ({ key: `key ${keys}`, name: does, kind: keys, run })),
  ];
  return closest(all, text);
}

type Found = Answer<"searchBook">["chapters"][number];

/** Finds in the book by full-text search, a line for each excerpt; a query that is refused finds nothing. */
function useFound(bookId: string | undefined, text: string): readonly Target[] {
  const isAsked = bookId !== undefined && text.trim().length >= 2;
  const sent = isAsked ? { params: { bookId }, query: { q: text, limit: 8 } } : undefined;
  const { answer } = useAnswer("searchBook", sent, { pauseMs: PAUSE_MS });
  return isAsked ? (answer?.chapters ?? []).flatMap((chapter) => linesOf(bookId, chapter)) : [];
}

function linesOf(bookId: string, { chapterId, title, excerpts }: Found): Target[] {
  return excerpts.slice(0, 2).map(({ blockId, text, highlights }, index) => ({
    key: `${chapterId} ${index}`,
    name: text,
    shown: <Highlighted {...{ text, highlights }} />,
    kind: title,
    to: `/b/${bookId}/c/${chapterId}${blockId === null ? "" : `#${blockId}`}`,
  }));
}
