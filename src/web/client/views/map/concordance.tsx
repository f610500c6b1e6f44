import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { number } from "../../parts/numbers.ts";

type Mention = Answer<"readFact">["mentions"][number];

/** After so many mentions no further chapter is shown before all are asked for. */
const MOST = 300;

/** Every mention in its sentence, the name in one column, by chapter; each leads to its paragraph. */
export function Concordance({
  bookId,
  mentions,
  isWhole,
}: {
  bookId: string;
  mentions: readonly Mention[];
  /** All are shown at once, for one chapter of them is meant. */
  isWhole: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const all = useMemo(() => byChapter(mentions), [mentions]);
  const chapters = isWhole || isOpen ? all : firstOf(all);
  if (chapters.length === 0)
    return (
      <p class="soft">
        The prose does not mention this yet. “Link names” above links every exact name; in the editor a marked
        word can be linked by hand.
      </p>
    );
  return (
    <div class="concordance">
      {chapters.map(({ id, title, own }) => (
        <section key={id} id={`in-${id}`}>
          <h3>
            <a href={`/b/${bookId}/c/${id}`}>{title}</a> <small>{number(own.length)}</small>
          </h3>
          <ul>
            {own.map((mention) => (
              <li key={mention.id}>
                <a href={`/b/${bookId}/c/${id}#${mention.blockId}`} dir="auto">
                  <span class="before">
                    <span>{mention.before}</span>
                  </span>
                  <b>{mention.text}</b>
                  <span class="after">{mention.after}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {chapters.length < all.length && (
        <button type="button" class="btn plain" onClick={() => setOpen(true)}>
          Show all {number(mentions.length)} mentions
        </button>
      )}
    </div>
  );
}

interface InChapter {
  id: string;
  title: string;
  own: Mention[];
}

function firstOf(chapters: readonly InChapter[]): readonly InChapter[] {
  let count = 0;
  const end = chapters.findIndex(({ own }) => {
    count += own.length;
    return count > MOST;
  });
  return end === -1 ? chapters : chapters.slice(0, end + 1);
}

function byChapter(mentions: readonly Mention[]): InChapter[] {
  const chapters = new Map<string, InChapter>();
  for (const mention of mentions) {
    const { chapterId: id, chapterTitle: title } = mention;
    const known = chapters.get(id);
    if (known === undefined) chapters.set(id, { id, title, own: [mention] });
    else known.own.push(mention);
  }
  return [...chapters.values()];
}
