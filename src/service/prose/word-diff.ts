import { diffArrays } from "diff";
import type { AnswerOf } from "../../contract/index.ts";

/** A stretch of text that two versions share, or that only one of them has. */
export type Change = AnswerOf<"compareRevisions">["paragraphs"][number]["changes"][number];

// A word with its apostrophes and hyphens, one character of a script without spaces, blanks, or a sign.
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’\-\u2010\u2011][\p{L}\p{N}\p{M}]+)*|\s+|./gsu;
// Beyond this many steps the two share too little to read them side by side.
const MOST_EDITS = 2000;

/** What changed between two texts, word by word; joined, "same" and "removed" make the first, "same" and "added" the second. */
export function diffWords(before: string, after: string): Change[] {
  if (before === after) return before === "" ? [] : [{ op: "same", text: before }];
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MOST_EDITS });
  const changes =
    parts?.map(
      ({ added, removed, value }): Change => ({
        op: added ? "added" : removed ? "removed" : "same",
        text: value.join(""),
      }),
    ) ??
    ([
      { op: "removed", text: before },
      { op: "added", text: after },
    ] satisfies Change[]);
  return joinRuns(changes.filter(({ text }) => text !== ""));
}

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** A blank alone between changed words belongs to the change: "red house" for "blue ship" is one, not two. */
function joinRuns(changes: readonly Change[]): Change[] {
  const joined: Change[] = [];
  let removed = "";
  let added = "";
  const close = () => {
    if (removed !== "") joined.push({ op: "removed", text: removed });
    if (added !== "") joined.push({ op: "added", text: added });
    removed = added = "";
  };
  changes.forEach(({ op, text }, index) => {
    if (op === "removed") removed += text;
    else if (op === "added") added += text;
    else if (removed !== "" && added !== "" && index < changes.length - 1 && text.trim() === "") {
      removed += text;
      added += text;
    } else {
      close();
      joined.push({ op, text });
    }
  });
  close();
  return joined;
}
