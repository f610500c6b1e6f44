import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Meter } from "../../parts/meter.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

type Chapter = Answer<"readPace">["chapters"][number];

/** Each chapter as long as it is, parted where its scenes are, and below it how much of it is speech; then the sentences. */
export function Pace({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readPace", { params: { bookId } });
  return (
    <Await read={read}>
      {(pace) => (
        <>
          <Chapters bookId={bookId} pace={pace} />
          <Sentences bookId={bookId} pace={pace} />
        </>
      )}
    </Await>
  );
}

type PaceProps = { bookId: string; pace: Answer<"readPace"> };

function Chapters({ bookId, pace: { chapters, dialogueShare, readability } }: PaceProps): JSX.Element {
  const longest = Math.max(1, ...chapters.map(({ wordCount }) => wordCount));
  return (
    <section>
      <h2>Chapters and scenes</h2>
      <p class="soft">
        {percent(dialogueShare)} of the book stands between quotation marks: the lower line of each chapter.
        {readability !== null && ` Readability (ARI): ${readability}; higher is harder.`}
      </p>
      <ul class="lines pace">
        {chapters.map((chapter) => (
          <li key={chapter.chapterId}>
            <a href={`/b/${bookId}/c/${chapter.chapterId}`} dir="auto">
              {chapter.chapterTitle}
            </a>
            <Bar chapter={chapter} longest={longest} />
            <small>
              {counted(chapter.wordCount, "word")}, {counted(chapter.scenes.length, "scene")},{" "}
              {percent(chapter.dialogueShare)} speech
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sentences({
  bookId,
  pace: { sentences, meanSentence, medianSentence, lengths, longest, chapters },
}: PaceProps): JSX.Element {
  const highest = Math.max(1, ...lengths.map(({ count }) => count));
  const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  return (
    <section>
      <h2>{counted(sentences, "sentence")}</h2>
      <p class="soft">
        {meanSentence.toFixed(1)} words on average; half have {counted(medianSentence, "word")} or fewer.
      </p>
      <ul class="lines sentences">
        {lengths.map(({ upTo, count }, index) => (
          <li key={upTo}>
            <span>{upTo === null ? "longer" : `${(lengths[index - 1]?.upTo ?? 0) + 1}–${upTo} words`}</span>
            <Meter part={count / highest} />
            <small>{number(count)}</small>
          </li>
        ))}
      </ul>
      <h3>The longest</h3>
      <ul class="rows">
        {longest.map(({ chapterId, blockId, from, words }) => (
          <li key={`${blockId} ${from}`}>
            <a href={`/b/${bookId}/c/${chapterId}#${blockId}`}>
              {counted(words, "word")} <small>{titles.get(chapterId)}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const WIDTH = 1000;
const GAP = 4;

function Bar({ chapter, longest }: { chapter: Chapter; longest: number }): JSX.Element {
  const { scenes, wordCount, dialogueShare } = chapter;
  const scale = WIDTH / longest;
  let left = 0;
  return (
    <svg viewBox={`0 0 ${WIDTH} 16`} preserveAspectRatio="none" aria-hidden="true">
      {scenes.map((words, index) => {
        const x = left;
        left += words * scale;
        return <rect key={index} x={x} width={Math.max(1, words * scale - GAP)} height="10" />;
      })}
      <rect class="speech" y="13" width={wordCount * scale * dialogueShare} height="3" />
    </svg>
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
