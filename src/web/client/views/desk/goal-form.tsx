import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { write } from "../../api/write.ts";
import type { Outline } from "./outline.ts";

/** The form of the book's goal: words in all, by when, and a day; each but the first may be left out. */
export function View({ book: { id, goal }, onDone }: { book: Outline; onDone: () => void }): JSX.Element {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const params = { bookId: id };
  const save = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const field = (name: string) => String(sent.get(name) ?? "").trim();
    const body = {
      targetWords: Number(field("targetWords")),
      deadline: field("deadline") || null,
      dailyWords: field("dailyWords") === "" ? null : Number(field("dailyWords")),
    };
    if (await write("setGoal", { params, body }, "The goal is set.")) onDone();
  };
  return (
    <form
      class="goal-form"
      onSubmit={(event) => void save(event)}
      onKeyDown={({ key }) => key === "Escape" && onDone()}
    >
      <label>
        Words in all
        <input
          class="field"
          type="number"
          name="targetWords"
          min={1}
          required
          defaultValue={goal?.targetWords}
          ref={first}
        />
      </label>
      <label>
        By <input class="field" type="date" name="deadline" defaultValue={goal?.deadline ?? ""} />
      </label>
      <label>
        Words a day
        <input class="field" type="number" name="dailyWords" min={1} defaultValue={goal?.dailyWords ?? ""} />
      </label>
      <button type="submit" class="btn first">
        Save
      </button>
      {goal !== null && (
        <button
          type="button"
          class="btn"
          onClick={() =>
            void write("deleteGoal", { params }, "The goal is taken away.").then(
              (answer) => answer && onDone(),
            )
          }
        >
          Take it away
        </button>
      )}
      <button type="button" class="btn plain" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}
