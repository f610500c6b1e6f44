import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Meter } from "../../parts/meter.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

type Told = Answer<"readStyle">;

/** How long the sentences are, the longest of them, and where several in a row begin with the same word. */
export function Language({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readStyle", { params: { bookId } });
  return (
    <Await read={read}>
      {({ chapters, sentences, openings }) => {
        const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
        const placeOf = (place: { chapterId: string; blockId: string }, said: string) => (
          <a href={`/b/${bookId}/c/${place.chapterId}#${place.blockId}`}>
            {said} <small>{titles.get(place.chapterId)}</small>
          </a>
        );
        return (
          <>
            <Lengths sentences={sentences} />
            <section>
              <h2>The longest</h2>
              <ul class="rows">
                {sentences.longest.map((place) => (
                  <li key={`${place.blockId} ${place.from}`}>
                    {placeOf(place, counted(place.words, "word"))}
                  </li>
                ))}
              </ul>
            </section>
            {openings.sentences.runs.length > 0 && (
              <section>
                <h2>In a row with the same first word</h2>
                <ul class="rows">
                  {openings.sentences.runs.map(({ word, count, place }) => (
                    <li key={`${place.blockId} ${place.from}`}>
                      {placeOf(place, `${counted(count, "sentence")} with “${word}”`)}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </>
        );
      }}
    </Await>
  );
}

function Lengths({ sentences: { total, mean, median, lengths } }: Pick<Told, "sentences">): JSX.Element {
  const highest = Math.max(1, ...lengths.map(({ count }) => count));
  return (
    <section>
      <h2>{counted(total, "sentence")}</h2>
      <p class="soft">
        {mean.toFixed(1)} words in the mean; half have {counted(median, "word")} or fewer.
      </p>
      <ul class="lines">
        {lengths.map(({ upTo, count }, index) => (
          <li key={upTo}>
            <span>{upTo === null ? "longer" : `${(lengths[index - 1]?.upTo ?? 0) + 1}–${upTo} words`}</span>
            <Meter part={count / highest} />
            <small>{number(count)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
