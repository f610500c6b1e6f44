import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { groupBy } from "../../../../text/group-by.ts";
import type { Answer } from "../../api/operations.ts";
import { number } from "../../parts/numbers.ts";
import { useMost } from "../../parts/view-head.tsx";

type Mention = Answer<"readFact">["mentions"][number];

/** After so many mentions no further chapter is shown before more are asked for. */
const STEP = 300;

interface ConcordanceProps {
  bookId: string;
  mentions: readonly Mention[];
  /** True if all are shown at once, because the address names one chapter of them. */
  isWhole: boolean;
}

/** Every mention in its sentence, by chapter; each leads to its paragraph. */
export function Concordance({ bookId, mentions, isWhole }: ConcordanceProps): JSX.Element {
  const all = useMemo(() => [...groupBy(mentions, ({ chapterId }) => chapterId)], [mentions]);
  const [most, more] = useMost(mentions.length, STEP);
  const chapters = isWhole ? all : firstOf(all, most);
  if (chapters.length === 0)
    return (
      <p class="empty">
        The prose does not mention this yet. “Link names” above links every exact name; in the editor you can
        link a selected word by hand.
      </p>
    );
  return (
    <div class="concordance">
      {chapters.map(([id, own]) => (
        <section key={id} id={`in-${id}`}>
          <h3>
            <a href={`/b/${bookId}/c/${id}`}>{own[0].chapterTitle}</a> <small>{number(own.length)}</small>
          </h3>
          <ul>
            {own.map((mention) => (
              <li key={mention.id}>
                <a href={`/b/${bookId}/c/${id}#${mention.blockId}`} dir="auto">
                  {mention.before}
                  <b>{mention.text}</b>
                  {mention.after}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {chapters.length < all.length && more}
    </div>
  );
}

/** The chapters with the first mentions, `most` and the rest of their chapter. */
function firstOf<Of extends readonly unknown[]>(chapters: readonly (readonly [string, Of])[], most: number) {
  let count = 0;
  const end = chapters.findIndex(([, own]) => {
    count += own.length;
    return count > most;
  });
  return end === -1 ? chapters : chapters.slice(0, end + 1);
}
