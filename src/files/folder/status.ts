/** A chapter's status. */
type Status = "draft" | "revising" | "done";

const WORDS: readonly (readonly [Status, RegExp])[] = [
  [
    "draft",
    /^(?:new|to ?do|ideas?|outlined?|planned|not started|started|in progress|writing|wip|(?:1st|first|rough|zero) draft|draft(?:ed|ing)?)$/,
  ],
  [
    "revising",
    /^(?:(?:2nd|3rd|second|third|next|revised) draft|(?:in|under|needs) (?:revision|review)|revis(?:e|ing|ed|ion)|rewrit(?:e|ing)|edit(?:s|ing|ed)?|review(?:ing)?)$/,
  ],
  ["done", /^(?:done|finished|final(?: draft)?|complete[d]?|published|ready)$/],
];

/** Returns the status for a writer's or another program's word, if its meaning is plain; else undefined. */
export function statusOf(label: string): Status | undefined {
  const word = label
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
  return WORDS.find(([, words]) => words.test(word))?.[0];
}

const LEAST_FIRST: readonly Status[] = ["draft", "revising", "done"];

/** Returns the least ready status of a chapter's documents; undefined if one has none, or there are none. */
export function leastReady(statuses: readonly (Status | undefined)[]): Status | undefined {
  return statuses.includes(undefined) ? undefined : LEAST_FIRST.find((status) => statuses.includes(status));
}
