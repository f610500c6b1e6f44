import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { InPlace } from "../../parts/in-place.tsx";
import { Menu } from "../../parts/menu.tsx";
import { counted, when } from "../../parts/numbers.ts";
import { OneLine } from "../../parts/one-line.tsx";
import { Await } from "../../parts/states.tsx";
import { BookView } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import { type Place, query } from "../../router.ts";
import { Compared, type Milestone } from "./compared.tsx";
import "../../style/milestones.css";

/** The milestones of a book; any two of them, or one and now, are compared. */
export function View({ bookId }: Place): JSX.Element {
  const read = useRead("listMilestones", { params: { bookId } });
  const [from, to] = [query.value.get("from"), query.value.get("to") ?? ""];
  return (
    <BookView bookId={bookId} title="Milestones" kind="milestones">
      {(book) => (
        <Await read={read}>
          {({ milestones }) => (
            <>
              <ViewHead
                title="Milestones"
                about={
                  <>
                    Names for <i dir="auto">{book.title}</i> as it was: a first draft, what went to the
                    editor.
                  </>
                }
              >
                <OneLine
                  opener="Name this moment"
                  kind="first"
                  save="Name it"
                  isOpen={query.value.has("name")}
                  fields={[{ name: "name", label: "Name, such as First draft" }]}
                  onAdd={({ name = "" }) =>
                    write("createMilestone", { params: { bookId }, body: { name } }, `“${name}” is named.`)
                  }
                />
              </ViewHead>
              {milestones.length === 0 && (
                <p class="empty">
                  None yet. Name the book as it is now, and you can compare it with this later, or put it
                  back.
                </p>
              )}
              <ul class="rows">
                {milestones.toReversed().map((one) => (
                  <Row key={one.id} milestone={one} isShown={one.id === from} />
                ))}
              </ul>
              {from !== null && <Compared {...{ book, milestones, from, to }} />}
            </>
          )}
        </Await>
      )}
    </BookView>
  );
}

function Row({ milestone, isShown }: { milestone: Milestone; isShown: boolean }): JSX.Element {
  const { id, bookId, name, at, wordCount, chapterCount } = milestone;
  const params = { milestoneId: id };
  return (
    <li class={isShown ? "on" : undefined}>
      <div dir="auto">
        <InPlace
          label="Name"
          value={name}
          onSave={(renamed) => {
            if (renamed !== "")
              void write("updateMilestone", { params, body: { name: renamed } }, `It is “${renamed}” now.`);
          }}
        />
        <small>
          {when(at)}, {counted(wordCount, "word")} in {counted(chapterCount, "chapter")}
        </small>
      </div>
      <a class="btn" href={`/b/${bookId}/milestones?from=${id}`} aria-current={isShown || undefined}>
        Compare with now
      </a>
      <Menu label={`More for ${name}`}>
        {(close) => (
          <Button
            kind="plain"
            onClick={() => {
              close();
              void write(
                "deleteMilestone",
                { params },
                `The name “${name}” is gone; the history keeps the state.`,
              );
            }}
          >
            Take the name away
          </Button>
        )}
      </Menu>
    </li>
  );
}
