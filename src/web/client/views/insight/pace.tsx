import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

type Chapter = Answer<"readStyle">["chapters"][number];

/** Each chapter as long as it is, parted where its scenes are, and below it how much of it is speech. */
export function Pace({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readStyle", { params: { bookId } });
  return (
    <Await read={read}>
      {({ chapters, dialogueShare }) => {
        const longest = Math.max(1, ...chapters.map(({ wordCount }) => wordCount));
        return (
          <section>
            <h2>Chapters and scenes</h2>
            <p class="soft">
              {percent(dialogueShare)} of the book stands between quotation marks: the lower line of each
              chapter.
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
      }}
    </Await>
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
