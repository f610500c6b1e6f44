import { doneOf } from "../../contract/act-words.ts";
import type { AnswerOf } from "../../contract/index.ts";
import { counted, localTime, oneLine } from "./columns.ts";

type Act = AnswerOf<"listActs">["acts"][number];

/** What records are called, by id, in the order in which they are listed. */
export type Names = ReadonlyMap<string, string>;

/** How much an act touched, and what that is called: "2 chapters: The Ferry, The Lamp"; "nothing" of one that changed nothing. */
export function reachOf(touch: Act["touched"], names: Names): string {
  const { books, parts, chapters, facts, snippets, proposals, milestones } = touch;
  const touched = [
    [books, "book"],
    [parts, "part"],
    [chapters, "chapter"],
    [facts, "fact"],
    [snippets, "note"],
    [proposals, "proposal"],
    [milestones, "milestone"],
  ] as const;
  let left = MOST_NAMED;
  const kinds = touched.flatMap(([ids, noun]) => {
    if (ids.length === 0) return [];
    const own = new Set<string>(ids);
    const named = [...names].flatMap(([id, name]) => (own.has(id) ? [name] : []));
    const listed = named.slice(0, left).map((name) => oneLine(name, LONGEST_NAME));
    left -= listed.length;
    const more = named.length > listed.length ? ` and ${named.length - listed.length} more` : "";
    return `${counted(ids.length, noun)}${listed.length === 0 ? "" : `: ${listed.join(", ")}${more}`}`;
  });
  return kinds.join("; ") || "nothing";
}

/** Names at most, of all kinds together. */
const MOST_NAMED = 3;
const LONGEST_NAME = 40;

/** An act in words: "set the status, 1 chapter: “The Ferry”", and when: "(2026-03-01 12:00)". */
export function actInWords(act: Act, names: Names): string {
  const quoted = new Map([...names].map(([id, name]) => [id, `“${oneLine(name, LONGEST_NAME - 2)}”`]));
  return `${doneOf(act)}, ${reachOf(act.touched, quoted)} (${localTime(act.at)})`;
}

/** All that acts touched, each once. */
export function union(acts: readonly Pick<Act, "touched">[]): Act["touched"] {
  const all = (key: keyof Act["touched"]) => [...new Set(acts.flatMap(({ touched }) => touched[key]))];
  return {
    books: all("books"),
    parts: all("parts"),
    chapters: all("chapters"),
    facts: all("facts"),
    snippets: all("snippets"),
    proposals: all("proposals"),
    milestones: all("milestones"),
  };
}
