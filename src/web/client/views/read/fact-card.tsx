import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Outline } from "../../parts/view.tsx";

/** A fact that a mention names, shown below that mention. */
export interface OpenFact {
  factId: string;
  mention: HTMLElement;
}

interface CardProps {
  book: Outline;
  open: OpenFact;
  onClose: () => void;
}

/** Who or what is mentioned, and in which chapters. */
export function FactCard({ book, open: { factId, mention }, onClose }: CardProps): JSX.Element {
  const read = useRead("readFact", { params: { factId } });
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = card;
    if (current === null) return;
    current.showPopover();
    current.focus({ preventScroll: true });
    const { left, bottom } = mention.getBoundingClientRect();
    current.style.left = `${Math.max(8, Math.min(left, innerWidth - current.offsetWidth - 24))}px`;
    current.style.top = `${bottom + scrollY + 8}px`;
  }, [mention]);
  return (
    <section
      class="card"
      popover="auto"
      role="dialog"
      aria-label={read.answer?.fact.name ?? "Fact"}
      tabIndex={-1}
      ref={card}
      onBeforeToggle={({ newState, currentTarget }) => {
        if (newState === "open") return;
        if (currentTarget.contains(document.activeElement)) mention.focus({ preventScroll: true });
        onClose();
      }}
    >
      <Await read={read}>
        {({ fact, mentions }) => {
          const counts = book.chapters.map(
            ({ id }) => mentions.filter(({ chapterId }) => chapterId === id).length,
          );
          return (
            <>
              <p class="caps">
                <span>{fact.kind}</span>
                <span>{counted(fact.mentionCount, "mention")}</span>
              </p>
              <h2>{fact.name}</h2>
              {fact.summary !== "" && <p>{fact.summary}</p>}
              <Strip counts={counts} />
              <p class="foot">
                <span>{fact.aliases.slice(0, 3).join(", ")}</span>
                <a class="link" href={`/b/${book.id}/map/${fact.id}`}>
                  On the story map
                </a>
              </p>
            </>
          );
        }}
      </Await>
    </section>
  );
}

/** Mentions by chapter as a row of tinted squares. */
function Strip({ counts }: { counts: readonly number[] }): JSX.Element {
  const width = 300 / Math.max(1, counts.length);
  return (
    <svg
      class="strip"
      viewBox="0 0 300 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Mentions by chapter: ${counts.join(", ")}`}
    >
      {counts.map((count, index) => (
        <rect
          key={index}
          style={{ fill: count === 0 ? "var(--tint)" : `var(--heat${Math.min(5, Math.ceil(count / 2))})` }}
          x={index * width}
          width={Math.max(0.5, width - 2)}
          height="14"
          rx="2"
        />
      ))}
    </svg>
  );
}
