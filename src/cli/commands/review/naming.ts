import { Conflict } from "../../../refusals.ts";

/** Runs what may refuse; the refusal then says how to go on from a command line. */
export function naming<Answer>(id: string, run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    const others = error instanceof Conflict ? (error.extra.edits as number[] | undefined) : undefined;
    if (error instanceof Conflict && others !== undefined && others.length > 0)
      error.message = error.message.replace(
        /Send \{"edits".*?\} to accept the others/,
        `"manuscript proposals accept ${id} --edits ${others.join(",")}" accepts the others`,
      );
    throw error;
  }
}
