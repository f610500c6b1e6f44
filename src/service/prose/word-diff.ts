import { diffArrays } from "diff";
import type { AnswerOf } from "../../contract/index.ts";

/** A stretch of text that two versions share, or that only one of them has. */
export type Change = AnswerOf<"compareRevisions">["paragraphs"][number]["changes"][number];

// A word with its apostrophes and hyphens, one character of a script without spaces, blanks, or a sign.
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’\-\u2010\u2011][\p{L}\p{N}\p{M}]+)*|\s+|./gsu;
// Beyond this many edits two texts share too little to read them side by side. Finding them takes the square of their
// number: 2,000 are 0.1 s.
const MOST_EDITS = 2000;

/** Compares two texts of those of one answer. */
export type DiffWords = (before: string, after: string) => Change[];

/**
 * Compares the texts of one answer, which have so many characters together, on both sides. However many there are, all of
 * them together take about as long as one pair of texts may take alone.
 */
export function diffAmong(characters: number): DiffWords {
  return (before, after) => {
    const share = (before.length + after.length) / characters;
    return diffWords(before, after, Math.ceil(MOST_EDITS * Math.sqrt(Math.min(share, 1))));
  };
}

/**
 * What changed between two texts, word by word; joined, "same" and "removed" make the first, "same" and "added" the second.
 * With more edits than `mostEdits`, all of the one and all of the other.
 */
export function diffWords(before: string, after: string, mostEdits = MOST_EDITS): Change[] {
  if (before === after) return before === "" ? [] : [{ op: "same", text: before }];
  if (before === "") return [{ op: "added", text: after }];
  if (after === "") return [{ op: "removed", text: before }];
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: mostEdits });
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
