import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Meter } from "../../parts/meter.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Highlighted, useMost } from "../../parts/view-head.tsx";

type Told = Answer<"readLanguage">;
type Kind = Told["kinds"][number];

/** What each kind is called, and what it is about. */
const SAID: Record<Kind["kind"], readonly [name: string, about: string]> = {
  filter: ["Filter words", "They stand between the reader and what happens: could see, felt, seemed to."],
  intensifier: ["Intensifiers", "Words that mostly weaken what they should strengthen."],
  tag: [
    "Showy speech tags",
    "Verbs that draw the eye where “said” would not, and deeds by which nobody speaks.",
  ],
  tag_adverb: ["Adverbs on speech tags", "What is said often says how it is said."],
  padding: ["Padding", "The same can be said in fewer words."],
  repeat: ["Repeated words", "A word that comes back within two sentences, as if by accident."],
  opening: ["Sentences that begin alike", "Four or more in a row."],
  tic: ["Habits", "Gestures and fillers that come thick in a chapter or in the whole book."],
  spelling: ["Spelling", "Written in two ways in this book; marked is the rarer one."],
  tense: ["Tense?", "One sentence in the present among others in the past. Is it meant?"],
  viewpoint: ["Point of view?", "What somebody else thinks, in a chapter that “I” tells. Who knows it?"],
};
const STEP = 50;

/** What a line editor would mark, by kind; each opens to its words and places, and can be dismissed for good. */
export function Language({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readLanguage", { params: { bookId } });
  const [shown, setShown] = useState<Kind["kind"]>();
  return (
    <Await read={read}>
      {({ kinds }) => {
        if (kinds.length === 0) return <p class="empty">Nothing is marked in this book.</p>;
        const most = Math.max(...kinds.map(({ count }) => count));
        return (
          <section>
            <p class="soft">
              What a line editor might mark, in the narration only. It knows English. Leave what you mean;
              what you dismiss is never marked again.
            </p>
            <ul class="lines marks">
              {kinds.map((one) => (
                <li key={one.kind}>
                  <Button
                    kind="plain"
                    aria-expanded={shown === one.kind}
                    onClick={() => setShown(shown === one.kind ? undefined : one.kind)}
                  >
                    {SAID[one.kind][0]}
                  </Button>
                  <Meter part={one.count / most} />
                  <small>
                    {number(one.count)}, {one.perThousand} in 1,000 words
                  </small>
                  {shown === one.kind && <Marked bookId={bookId} of={one} />}
                </li>
              ))}
            </ul>
          </section>
        );
      }}
    </Await>
  );
}

function Marked({ bookId, of: { kind, id, words } }: { bookId: string; of: Kind }): JSX.Element {
  const read = useRead("readLanguage", { params: { bookId }, query: { kind } });
  const [name, about] = SAID[kind];
  return (
    <div>
      <p class="soft">
        {about}{" "}
        <Button kind="plain" onClick={() => dismiss(bookId, id, `${name} are not marked any more.`)}>
          Never mark these
        </Button>
      </p>
      <ul class="chips">
        {words.map(({ word, count, id: ofWord }) => (
          <li key={word}>
            {word} <small>{number(count)}</small>
            <Button
              kind="plain"
              aria-label={`Never mark “${word}”`}
              onClick={() => dismiss(bookId, ofWord, `“${word}” is not marked any more.`)}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <Await read={read}>{(told) => <Places bookId={bookId} told={told} />}</Await>
    </div>
  );
}

function Places({
  bookId,
  told: { findings, chapters, leftOut },
}: {
  bookId: string;
  told: Told;
}): JSX.Element {
  const [most, more] = useMost(findings.length, STEP);
  const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  return (
    <>
      <ul class="rows">
        {findings.slice(0, most).map(({ id, chapterId, blockId, from, sentence, highlights }) => (
          <li key={`${id} ${from}`}>
            <div>
              <a href={`/b/${bookId}/c/${chapterId}#${blockId}`} class="serif" dir="auto">
                <Highlighted text={sentence} highlights={highlights} />
              </a>
              <small>{titles.get(chapterId)}</small>
            </div>
            <Button kind="plain" onClick={() => dismiss(bookId, id, "This place is not marked any more.")}>
              Dismiss
            </Button>
          </li>
        ))}
      </ul>
      {more}
      {leftOut > 0 && <p class="soft">{counted(leftOut, "place")} more are not listed.</p>}
    </>
  );
}

function dismiss(bookId: string, id: string, done: string): Promise<unknown> {
  return write("dismissFindings", { params: { bookId }, body: { ids: [id] } }, done);
}
