import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Highlighted, useMost } from "../../parts/view-head.tsx";

type Group = Answer<"readPassages">["groups"][number];

const NAMES: Readonly<Record<Group["attribute"], string>> = {
  eyes: "Eyes",
  hair: "Hair",
  looks: "Looks",
  body: "Body",
  age: "Age",
  family: "Family",
  possessions: "Possessions",
  title: "Titles",
  profession: "Work",
  place: "Where",
  death: "Death",
};
/** The sentences of an attribute that are shown at first. */
const STEP = 12;

/** The sentences that describe a fact, by what they tell of and in reading order; each leads to its paragraph. */
export function View({ bookId, factId }: { bookId: string; factId: string }): JSX.Element {
  const read = useRead("readPassages", { params: { factId } });
  return (
    <Await read={read}>
      {({ groups }) =>
        groups.length === 0 ? (
          <p class="empty">No sentence in the book describes this.</p>
        ) : (
          <div class="concordance">
            {groups.map((group) => (
              <Described key={group.attribute} bookId={bookId} group={group} />
            ))}
          </div>
        )
      }
    </Await>
  );
}

function Described({ bookId, group }: { bookId: string; group: Group }): JSX.Element {
  const { attribute, passages } = group;
  const [most, more] = useMost(passages.length, STEP);
  return (
    <section>
      <h3>
        {NAMES[attribute]} <small>{number(passages.length)}</small>
      </h3>
      {passages.slice(0, most).map((passage) => (
        <p key={`${passage.blockId} ${passage.from}`} class="gist" dir="auto">
          <a href={`/b/${bookId}/c/${passage.chapterId}#${passage.blockId}`}>
            <Highlighted text={passage.text} highlights={passage.highlights} />
          </a>
          <small>{passage.chapterTitle}</small>
        </p>
      ))}
      {more}
    </section>
  );
}
