import type { EditedLeaf } from "../service/replace-text.ts";
import { styled, type Terminal } from "./terminal.ts";

/** Characters shown of what stays, on either side of a change. */
const CONTEXT = 40;

/**
 * A paragraph's change on one line, whole words: red and green where the terminal shows it, else `[-old-]{+new+}` as
 * git's word diff has it. What is far from any change is left out.
 */
export function wordDiff(terminal: Terminal, { before, edits }: EditedLeaf): string {
  let shown = "";
  let at = 0;
  for (const { from, to, was, is } of wholeWords(before, edits)) {
    const between = before.slice(at, from);
    shown += at === 0 ? lastOf(between) : shortened(between);
    shown += was === "" ? "" : marked(terminal, "red", was);
    shown += is === "" ? "" : marked(terminal, "green", is);
    at = to;
  }
  return (shown + firstOf(before.slice(at))).replace(/\s+/gu, " ").trim();
}

function marked(terminal: Terminal, colour: "red" | "green", text: string): string {
  const coloured = styled(terminal, colour, text);
  if (coloured !== text) return coloured;
  return colour === "red" ? `[-${text}-]` : `{+${text}+}`;
}

interface Change {
  from: number;
  to: number;
  was: string;
  is: string;
}

const WORD = /[\p{L}\p{N}\p{M}'’ʼ-]/u;

/** The edits, each as wide as the words that it changes; those in one word together. */
function wholeWords(text: string, edits: EditedLeaf["edits"]): Change[] {
  const changes: Change[] = [];
  for (const edit of edits) {
    const last = changes.at(-1);
    if (last !== undefined && edit.from < last.to) {
      const done = last.to - edit.from; // letters of the word behind the edit before
      last.is = last.is.slice(0, last.is.length - done) + edit.insert;
      last.to = edit.to;
      widen(text, last);
      continue;
    }
    const change: Change = { from: edit.from, to: edit.to, was: "", is: edit.insert };
    while (change.from > (last?.to ?? 0) && joins(text, change.from)) {
      change.from -= 1;
      change.is = text.charAt(change.from) + change.is;
    }
    widen(text, change);
    changes.push(change);
  }
  return changes.map((change) => ({ ...change, was: text.slice(change.from, change.to) }));
}

function widen(text: string, change: Change): void {
  while (change.to < text.length && joins(text, change.to)) {
    change.is += text.charAt(change.to);
    change.to += 1;
  }
}

/** Whether a word goes on across this offset. */
function joins(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
}

function shortened(text: string): string {
  return text.length <= CONTEXT * 2 ? text : `${firstOf(text)} ${lastOf(text)}`;
}

function firstOf(text: string): string {
  if (text.length <= CONTEXT) return text;
  return `${text.slice(0, CONTEXT).replace(/\s\S*$/u, "")}…`;
}

function lastOf(text: string): string {
  if (text.length <= CONTEXT) return text;
  return `…${text.slice(-CONTEXT).replace(/^\S*\s/u, "")}`;
}
