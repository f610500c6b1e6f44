import type { Pairing, ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { pickNumber, pickOne, type Random, seededRandom } from "./edits-texts.ts";
import {
  mistype,
  renameTwo,
  spaceOf,
  splitSentences,
  splitWords,
  straighten,
  wrapLines,
} from "./edits-words.ts";

/** A chapter before and after an edit, and what truly became of each paragraph. */
export interface Edited extends Pairing {
  old: readonly ParagraphText[];
  next: readonly ParagraphText[];
}

/** What an edit is made of; the same source gives the same edit. */
export interface EditSource {
  old: readonly ParagraphText[];
  /** Paragraphs of other chapters: where new paragraphs, sentences and words are taken from. */
  others: readonly ParagraphText[];
  seed: number;
}

/** How one kind of edit turns a chapter into another. */
type Edit = (source: EditSource) => Edited;

/** A paragraph on its way through an edit. */
interface Cell {
  type: string;
  text: string;
  /** Old index that it continues, or -1. */
  from: number;
  /** Old indices that were merged into it. */
  absorbed: readonly number[];
}

interface Desk {
  random: Random;
  /** Paragraphs whose text the chapter has not: one that it has would be that very paragraph. */
  others: readonly ParagraphText[];
}

/** What happens to one touched paragraph: the cells that come to stand in its place. */
type Change = (cell: Cell, desk: Desk) => Cell[];

const changes = {
  typo: rewording((text, { random }) => {
    let typed = text;
    for (let left = 1 + pickNumber(random, 3); left > 0; left--) typed = mistype(typed, random) || typed;
    return typed;
  }),
  sentence: rewording(changeSentence),
  "half the words": changeWords(0.5),
  rewrite: (cell, desk) => [
    cell.text === "" ? cell : { ...cell, text: foreign(desk, cell.text.length).text, from: -1 },
  ],
  insert: (cell, desk) => [{ ...foreign(desk, 150), from: -1, absorbed: [] }, cell],
  delete: () => [],
  split,
} satisfies Record<string, Change>;

type Kind = keyof typeof changes | "move" | "merge";

const kinds = [...Object.keys(changes), "move", "merge"] as Kind[];

/** Every kind of edit by name; "@.3" touches three paragraphs in ten. */
export const edits: Readonly<Record<string, Edit>> = {
  "typos @.3": touch(0.3, () => "typo"),
  "a sentence @.3": touch(0.3, () => "sentence"),
  "half the words @.3": touch(0.3, () => "half the words"),
  "rewrites @.3": touch(0.3, () => "rewrite"),
  "inserts @.3": touch(0.3, () => "insert"),
  "deletes @.3": touch(0.3, () => "delete"),
  "moves @.3": touch(0.3, () => "move"),
  "a block moved": moveBlock,
  "neighbours swapped": swapNeighbours,
  "inserts beside edits": touch(1, (random) => pickOne(random, ["insert", "typo", "sentence"])),
  "one-line strangers @.3": editOneLiners,
  "moves + 10 % of words @.3": touch(0.3, () => "move", changeWords(0.1)),
  "splits @.3": touch(0.3, () => "split"),
  "merges @.3": touch(0.3, () => "merge"),
  "two renames": everywhere(renameTwo),
  "quotes straightened": everywhere(() => straighten),
  "lines re-wrapped": everywhere(() => wrapLines),
  "duplicate short lines @.3": editShortLines,
  "mixed @.1": touch(0.1, (random) => pickOne(random, kinds)),
  "mixed @.6": touch(0.6, (random) => pickOne(random, kinds)),
};

function touch(share: number, kindOf: (random: Random) => Kind, onMove: Change = (cell) => [cell]): Edit {
  return (source) => {
    const desk = deskOf(source);
    const twins = findTwins(source.old);
    const cells: Cell[] = [];
    const moved: Cell[] = [];
    const olds = cellsOf(source.old);
    for (let at = 0; at < olds.length; at++) {
      const cell = olds[at]!;
      const kind = desk.random() < share ? kindOf(desk.random) : undefined;
      if (kind === undefined || (kind === "move" && twins.has(cell.text))) cells.push(cell);
      else if (kind === "move") moved.push(...onMove(cell, desk));
      else if (kind === "merge") cells.push(mayMerge(cell, olds[at + 1]) ? merge(cell, olds[++at]!) : cell);
      else cells.push(...changes[kind](cell, desk));
    }
    for (const cell of moved) cells.splice(pickNumber(desk.random, cells.length + 1), 0, cell);
    return normalizeBlocks(source.old, cells);
  };
}

/** Moves three paragraphs in ten that stand together. */
function moveBlock(source: EditSource): Edited {
  const { random } = deskOf(source);
  const cells = cellsOf(source.old);
  const length = Math.ceil(cells.length * 0.3);
  const block = cells.splice(pickNumber(random, cells.length - length + 1), length);
  cells.splice(pickNumber(random, cells.length + 1), 0, ...block);
  return normalizeBlocks(source.old, cells);
}

/** Every second paragraph changes places with the next, and both are edited now and then. */
function swapNeighbours(source: EditSource): Edited {
  const desk = deskOf(source);
  const cells = cellsOf(source.old).flatMap((cell) =>
    desk.random() < 0.3 ? changeWords(0.1)(cell, desk) : [cell],
  );
  const swapped = cells.map((cell, at) => cells[at % 2 === 0 ? at + 1 : at - 1] ?? cell);
  return normalizeBlocks(source.old, swapped);
}

/** Lines of three to seven words, of which three in ten are replaced by others that are as short. */
function editOneLiners(source: EditSource): Edited {
  const { random, others } = deskOf(source);
  const lineOf = ({ type, text }: ParagraphText): ParagraphText => ({
    type,
    text: splitWords(text)
      .slice(0, 3 + pickNumber(random, 5))
      .join(spaceOf(text)),
  });
  const old = source.old.map(lineOf);
  const cells = cellsOf(old).map((cell) =>
    cell.text === "" || random() >= 0.3 ? cell : { ...cell, ...lineOf(pickOne(random, others)), from: -1 },
  );
  return normalizeBlocks(old, cells);
}

function everywhere(writer: (texts: readonly string[]) => (text: string) => string): Edit {
  return ({ old }) => {
    const write = writer(old.map((paragraph) => paragraph.text));
    const cells = cellsOf(old).map((cell) => ({ ...cell, text: write(cell.text) }));
    return normalizeBlocks(old, cells);
  };
}

/** Puts "Yes." and its like among the old paragraphs, then drops some paragraphs and adds more such lines. */
function editShortLines(source: EditSource): Edited {
  const { random } = deskOf(source);
  const lines = ["Yes.", "No.", "“What?”", "“Oh!”", "Silence.", "“Well?”"];
  const lineAfter = (paragraphs: readonly ParagraphText[], at: number): ParagraphText => {
    const beside = [paragraphs[at]?.text, paragraphs[at + 1]?.text]; // nobody could tell which of two twins is new
    const different = lines.filter((line) => !beside.includes(line));
    return { type: "paragraph", text: pickOne(random, different) };
  };
  const old = source.old.flatMap((paragraph, at, all) =>
    random() < 0.25 ? [paragraph, lineAfter(all, at)] : [paragraph],
  );
  const cells = cellsOf(old).flatMap((cell, at) => {
    if (random() >= 0.3) return [cell];
    return random() < 0.5 ? [] : [cell, { ...lineAfter(old, at), from: -1, absorbed: [] }];
  });
  return normalizeBlocks(old, cells);
}

function rewording(write: (text: string, desk: Desk) => string): Change {
  return (cell, desk) => (cell.text === "" ? [cell] : [{ ...cell, text: write(cell.text, desk) }]);
}

/** Adds a sentence, drops one or replaces one; to a single sentence one can only be added. */
function changeSentence(text: string, desk: Desk): string {
  const sentences = splitSentences(text);
  const at = pickNumber(desk.random, sentences.length);
  const kind = sentences.length < 2 ? "add" : pickOne(desk.random, ["add", "drop", "replace"]);
  const added =
    kind === "drop" ? [] : [pickOne(desk.random, splitSentences(foreign(desk, text.length).text))];
  sentences.splice(at, kind === "add" ? 0 : 1, ...added);
  return sentences.join(spaceOf(text));
}

function changeWords(share: number): Change {
  return rewording((text, desk) => {
    const words = splitWords(text);
    const fresh = Array.from({ length: 4 }, () => splitWords(foreign(desk, text.length).text)).flat();
    const places = words.map((_, at) => ({ at, order: desk.random() })).sort((a, b) => a.order - b.order);
    for (const { at } of places.slice(0, words.length * share)) words[at] = pickOne(desk.random, fresh);
    return words.join(spaceOf(text));
  });
}

/** Parts at the end of a sentence, or between words when ten or more make one; the longer half keeps the id. */
function split(cell: Cell, { random }: Desk): Cell[] {
  const sentences = splitSentences(cell.text);
  const pieces = sentences.length > 1 ? sentences : splitWords(cell.text);
  if (sentences.length < 2 && pieces.length < 10) return [cell]; // nobody breaks "Yes, sir." in two
  const at = 1 + pickNumber(random, pieces.length - 1);
  const halves = [pieces.slice(0, at), pieces.slice(at)].map((half) => half.join(spaceOf(cell.text)));
  const kept = halves[0]!.length >= halves[1]!.length ? 0 : 1;
  return halves.map((text, half) => ({ ...cell, text, from: half === kept ? cell.from : -1 }));
}

function mayMerge(first: Cell, second: Cell | undefined): boolean {
  return first.text !== "" && second !== undefined && second.text !== "" && first.type === second.type;
}

function merge(first: Cell, second: Cell): Cell {
  const [kept, gone] = first.text.length >= second.text.length ? [first, second] : [second, first];
  return { ...kept, text: first.text + spaceOf(first.text) + second.text, absorbed: [gone.from] };
}

/** The one of four paragraphs of other chapters that is nearest in length: what is rewritten stays about as long. */
function foreign({ random, others }: Desk, length: number): ParagraphText {
  const distance = (paragraph: ParagraphText): number => Math.abs(paragraph.text.length - length);
  const picks = Array.from({ length: 4 }, () => pickOne(random, others));
  return picks.reduce((best, pick) => (distance(pick) < distance(best) ? pick : best));
}

function deskOf({ old, others, seed }: EditSource): Desk {
  const known = new Set(["", ...old.map((paragraph) => paragraph.text)]);
  return { random: seededRandom(seed), others: others.filter((paragraph) => !known.has(paragraph.text)) };
}

/** Texts that occur twice: had one of them moved, nobody could tell which. */
function findTwins(paragraphs: readonly ParagraphText[]): Set<string> {
  const seen = new Set<string>();
  const twins = new Set<string>();
  for (const { text } of paragraphs) (seen.has(text) ? twins : seen).add(text);
  return twins;
}

function cellsOf(old: readonly ParagraphText[]): Cell[] {
  return old.map(({ type, text }, from) => ({ type, text, from, absorbed: [] }));
}

function normalizeBlocks(old: readonly ParagraphText[], cells: readonly Cell[]): Edited {
  const next = cells.map(({ type, text }) => ({ type, text }));
  const from = Int32Array.from(cells, (cell) => cell.from);
  const into = new Int32Array(old.length).fill(-1);
  for (const [at, cell] of cells.entries()) for (const gone of cell.absorbed) into[gone] = at;
  return { old, next, from, into };
}
