import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { Button, focusOnce } from "../../parts/button.tsx";
import { Field, Tick } from "../../parts/fields.tsx";
import { Form, FormEnd, type Values } from "../../parts/form.tsx";
import { counted, localDay } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";

interface GoalFormProps {
  book: Outline;
  /** The weekdays that a plan and a streak leave out in this browser, such as "06" for Sunday and Saturday. */
  daysOff: Signal<string>;
  onDone: () => void;
}

const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY_MS = 86_400_000;
/** As far as the deadline can be drawn; a later one is typed. */
const MOST_DAYS = 730;

/** The form of the book's goal: words in all, by when, words a day, and the days off; all but the first may be left out. */
export function View({ book: { id, goal, wordCount }, daysOff, onDone }: GoalFormProps): JSX.Element {
  const [target, setTarget] = useState(goal?.targetWords ?? 0);
  const [deadline, setDeadline] = useState(goal?.deadline ?? "");
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
  const days = Math.round((Date.parse(deadline) - Date.parse(localDay(new Date()))) / DAY_MS);
  return (
    <Form class="line" onSave={save} onCancel={onDone}>
      <Field
        label="Words in all"
        type="number"
        name="targetWords"
        min={1}
        required
        defaultValue={goal?.targetWords}
        onInput={({ currentTarget }) => setTarget(Number(currentTarget.value))}
        ref={focusOnce}
      />
      <Field
        label="By"
        type="date"
        name="deadline"
        value={deadline}
        onInput={({ currentTarget }) => setDeadline(currentTarget.value)}
      />
      <input
        type="range"
        aria-label="Days until then"
        min={1}
        max={MOST_DAYS}
        value={days || MOST_DAYS}
        onInput={({ currentTarget }) =>
          setDeadline(localDay(new Date(Date.now() + Number(currentTarget.value) * DAY_MS)))
        }
      />
      {days > 0 && target > wordCount && (
        <span class="soft">{counted(Math.ceil((target - wordCount) / days), "word")} a day until then</span>
      )}
      <Field
        label="Words a day"
        type="number"
        name="dailyWords"
        min={1}
        defaultValue={goal?.dailyWords ?? ""}
      />
      <DaysOff chosen={daysOff} />
      <FormEnd save="Save" onCancel={onDone} />
      {goal !== null && <Button onClick={remove}>Remove the goal</Button>}
    </Form>
  );
}

function DaysOff({ chosen }: { chosen: Signal<string> }): JSX.Element {
  return (
    <fieldset class="line">
      <legend>Days off</legend>
      {WEEK.map((name, index) => {
        const weekday = String((index + 1) % 7);
        return (
          <Tick
            key={name}
            isOn={chosen.value.includes(weekday)}
            onChange={(isOff) => {
              chosen.value = isOff ? chosen.value + weekday : chosen.value.replace(weekday, "");
            }}
          >
            {name}
          </Tick>
        );
      })}
    </fieldset>
  );
}
