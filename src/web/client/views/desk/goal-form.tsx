import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { Button, focusOnce } from "../../parts/button.tsx";
import { Field } from "../../parts/fields.tsx";
import { Form, FormEnd, type Values } from "../../parts/form.tsx";
import type { Outline } from "../../parts/view.tsx";

/** The form of the book's goal: words in all, by when, and words a day; the last two may be left out. */
export function View({ book: { id, goal }, onDone }: { book: Outline; onDone: () => void }): JSX.Element {
  const params = { bookId: id };
  const save = async ({ targetWords, deadline, dailyWords }: Values) => {
    const body = {
      targetWords: Number(targetWords),
      deadline: deadline || null,
      dailyWords: dailyWords ? Number(dailyWords) : null,
    };
    if (await write("setGoal", { params, body }, "The goal is set.")) onDone();
  };
  const remove = async () => {
    if (await write("deleteGoal", { params }, "The goal is removed.")) onDone();
  };
  return (
    <Form class="line" onSave={save} onCancel={onDone}>
      <Field
        label="Words in all"
        type="number"
        name="targetWords"
        min={1}
        required
        defaultValue={goal?.targetWords}
        ref={focusOnce}
      />
      <Field label="By" type="date" name="deadline" defaultValue={goal?.deadline ?? ""} />
      <Field
        label="Words a day"
        type="number"
        name="dailyWords"
        min={1}
        defaultValue={goal?.dailyWords ?? ""}
      />
      <FormEnd save="Save" onCancel={onDone} />
      {goal !== null && <Button onClick={remove}>Remove the goal</Button>}
    </Form>
  );
}
