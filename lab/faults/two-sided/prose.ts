/** A thing that two sides can edit apart from all others; what it says is `text`, what it is stays. */
export interface Leaf {
  /** Who it is, whatever becomes of its text. */
  key: number;
  kind: "paragraph" | "heading" | "item" | "quote" | "break" | "footnote" | "definition";
  text: string;
  /** The list or quote that it belongs to; 0 for none. */
  group: number;
}

/** Picks one of the values. */
export type Dice = <Value>(values: readonly Value[]) => Value;

/** Random prose, and keys for its paragraphs. */
export interface Words {
  pick: Dice;
  key(): number;
  sentence(): string;
  paragraph(): string;
}

// Paragraphs share these, so that a sentence alone never says where it stands.
const STOCK = ["She did not answer.", "The bell rang twice.", "Nobody came.", "It was late."];
const NAMES = ["Mara", "Tobit"];
const LINES = ["“Yes.”", "“No.”", "“Why?”"];

/** Numbers below 1, the same for the same run whatever the others are. */
export function dice(seed: number, run: number): () => number {
  let state = (Math.imul(seed, 2_654_435_761) + Math.imul(run + 1, 40_503)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random words from a stream of random numbers below 1. */
export function wordsOf(random: () => number): Words {
  const pick: Dice = (values) => values[Math.floor(random() * values.length)]!; // none is empty
  let last = 0;
  const word = () =>
    Array.from(
      { length: pick([1, 2, 2, 3]) },
      () => pick([..."bdfgklmnprstv"]) + pick([..."aeiou"]) + pick(["", "", "n", "r"]),
    ).join("");
  const sentence = () => {
    const words = Array.from({ length: pick([4, 5, 7, 9, 12]) }, word);
    if (random() < 0.15) words[1] = pick(NAMES);
    if (random() < 0.05) words[2] = `*${words[2]}*`;
    const text = words.join(" ");
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => {
    const sentences = Array.from({ length: pick([1, 2, 3, 4, 6]) }, sentence);
    if (random() < 0.3) sentences.splice(Math.floor(random() * 3), 0, pick(STOCK));
    return sentences.join(random() < 0.1 ? "\n" : " ");
  };
  return { pick, key: () => ++last, sentence, paragraph };
}

/** Words that a heading and a chapter's title say alike. */
export const titleOf = ({ sentence }: Words): string => sentence().slice(0, -1).replaceAll("*", "");

/** A chapter of all that a novel is made of; before and after what holds several paragraphs stand plain ones. */
export function chapterOf(words: Words): Leaf[] {
  const { pick, key, sentence, paragraph } = words;
  const leaf = (kind: Leaf["kind"], text: string, group = 0): Leaf => ({ key: key(), kind, text, group });
  const plain = () => leaf("paragraph", paragraph());
  const leaves = [leaf("heading", titleOf(words)), plain()];
  for (let left = pick([3, 5, 8]); left > 0; left--) {
    const group = key();
    const several = (kind: Leaf["kind"]) => [1, 2, 3].map(() => leaf(kind, sentence(), group));
    const next = {
      plain: () => [plain()],
      dialogue: () => [pick(LINES), pick(LINES), pick(LINES)].map((text) => leaf("paragraph", text)),
      list: () => several("item"),
      quote: () => several("quote"),
      break: () => [leaf("break", "* * *")],
      footnote: () => [
        leaf("paragraph", `${paragraph()}[^n${group}]`),
        leaf("footnote", `[^n${group}]: ${sentence()}`),
      ],
      link: () => [
        leaf("paragraph", `${paragraph()} [See][l${group}]`),
        leaf("definition", `[l${group}]: https://example.org/${group}`),
      ],
    }[pick(["plain", "plain", "plain", "dialogue", "list", "quote", "break", "footnote", "link"] as const)]();
    leaves.push(...next, plain());
  }
  return leaves;
}

const MARKUP = { item: "- ", quote: "> ", heading: "## " } as const;

/** The chapter's Markdown with plain line ends; `mark` is put behind a leaf. */
export function render(leaves: readonly Leaf[], mark: (leaf: Leaf) => string = () => ""): string {
  const parts = leaves.map((leaf, index) => {
    const { kind, text, group } = leaf;
    const isInside = index > 0 && group !== 0 && leaves[index - 1]?.group === group;
    const joint = index === 0 ? "" : !isInside ? "\n\n" : kind === "item" ? "\n" : "\n>\n";
    return joint + ((MARKUP as Partial<Record<Leaf["kind"], string>>)[kind] ?? "") + text + mark(leaf);
  });
  return parts.length === 0 ? "" : `${parts.join("")}\n`;
}

/** What stands in Markdown, line by line, apart from the marks of lists, quotes, headings and block ids. */
export function linesOf(markdown: string): string[] {
  return markdown
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/(?:^|\s)\^b-\S+\s*$/, "").trim())
    .map((line) => line.replace(/^(?:[-+>] ?|#+ |\* (?!\*))+/, ""))
    .filter((line) => line !== "");
}
