import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted, number } from "../../parts/numbers.ts";
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

/** What the book says of a fact, trait by trait; each sentence leads to its paragraph. */
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
  const { attribute, differs, passages } = group;
  const [most, more] = useMost(passages.length, STEP);
  return (
    <section>
      <h3>
        {NAMES[attribute]} <small>{differs ? "told in different ways" : number(passages.length)}</small>
      </h3>
      {passages.slice(0, most).map((passage) => (
        <p key={`${passage.blockId} ${passage.from}`} class="gist" dir="auto">
          <a href={`/b/${bookId}/c/${passage.chapterId}#${passage.blockId}`}>
            <Highlighted text={passage.text} highlights={passage.highlights} />
          </a>
          <small>
            {passage.chapterTitle}
            {passage.times > 1 && `, and ${counted(passage.times - 1, "time")} more`}
          </small>
        </p>
      ))}
      {more}
    </section>
  );
}
