import type { AnswerOf, BodyOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { deleteGoal, setGoal } from "../../../service/books/books.ts";
import { counted, grouped } from "../../../text/columns.ts";
import { dayOf } from "../../input/arguments.ts";
import { outlineOf, resolveBook } from "../../input/resolve.ts";
import { reply, replyWrite, would } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/structure.ts";

type Goal = NonNullable<AnswerOf<"readOutline">["goal"]>;

type GoalOptions = OptionsOf<(typeof ROWS)["goal"]>;

/** Shows a book's goal, sets it or takes it away. What is not given of a goal that is set stays as it was. */
export const COMMANDS: CommandsOf<typeof ROWS, "goal"> = {
  goal: async (call, { action, words, book, by, daily }) => {
    const isSet = action === "set";
    if (!isSet && (words !== undefined || by !== undefined || daily !== undefined))
      throw new BadRequest("Words, --by and --daily go with set: manuscript goal set 80000 --by 2027-12-31.");
    const manuscript = await call.open();
    const { id: bookId, title } = resolveBook(manuscript, book, "name one with --book");
    const { goal: old } = outlineOf(manuscript, bookId);
    if (action === undefined) {
      const answer: CommandAnswer<"goal"> = { bookId, title, goal: old };
      return await reply(call, answer, () => (old === null ? "No goal yet." : shown(old)));
    }
    if (action === "clear") {
      const has = call.isDry ? "would have" : "has";
      const answer = deleteGoal(manuscript, bookId, call.caller);
      return await replyWrite(call, answer, () => `${title}: ${has} no goal any more`);
    }
    const answer = manuscript.store.together(() => {
      const body = changed(outlineOf(manuscript, bookId).goal, { words, by, daily });
      return setGoal(manuscript, bookId, body, call.caller);
    }, call.caller);
    await replyWrite(call, answer, ({ goal }) => `${would(call, "be")}${shown(goal)}`);
  },
};

/** The goal with what is given in place of what it had. Throws `BadRequest` for none with no number of words. */
function changed(
  old: Goal | null,
  { words, by, daily }: { words: number | undefined } & GoalOptions,
): BodyOf<"setGoal"> {
  const targetWords = words ?? old?.targetWords;
  if (targetWords === undefined)
    throw new BadRequest("Say how many words: manuscript goal set 80000 --by 2027-12-31.");
  return {
    targetWords,
    deadline: by === undefined ? (old?.deadline ?? null) : by === "none" ? null : dayOf("--by", by),
    dailyWords: daily === undefined ? (old?.dailyWords ?? null) : daily === "none" ? null : daily,
  };
}

function shown({ targetWords, remainingWords, deadline, dailyWords, wordsPerDay }: Goal): string {
  return [
    counted(targetWords, "word"),
    `${grouped(remainingWords)} to go`,
    ...(deadline === null ? [] : [`by ${deadline}: ${grouped(wordsPerDay ?? 0)} a day`]),
    ...(dailyWords === null ? [] : [`${grouped(dailyWords)} a day meant`]),
  ].join(", ");
}
