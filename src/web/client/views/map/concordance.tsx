import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { number } from "../../parts/numbers.ts";

type Mention = Answer<"readFact">["mentions"][number];

/** Every mention in its sentence, the name in one column, by chapter; each leads to its paragraph. */
export function Concordance({
  bookId,
  mentions,
}: {
  bookId: string;
  mentions: readonly Mention[];
}): JSX.Element {
  const chapters = useMemo(() => byChapter(mentions), [mentions]);
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
    </div>
  );
}

function byChapter(mentions: readonly Mention[]): { id: string; title: string; own: Mention[] }[] {
  const chapters = new Map<string, { id: string; title: string; own: Mention[] }>();
  for (const mention of mentions) {
    const { chapterId: id, chapterTitle: title } = mention;
    const known = chapters.get(id);
    if (known === undefined) chapters.set(id, { id, title, own: [mention] });
    else known.own.push(mention);
  }
  return [...chapters.values()];
}
