import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { inventChapters, pickNumber, pickOne, type Random, seededRandom } from "./edits-texts.ts";

/** Neighbours that differ in a word or a number before and after just that was changed; `from` is the truth. */
export interface TwinCase {
  kind: TwinKind;
  old: ParagraphText[];
  next: ParagraphText[];
  from: number[];
}

type TwinKind = keyof typeof kinds;

/** A line before and after, and where it stands: nowhere if it was not there. */
interface Line {
  old?: ParagraphText;
  next?: ParagraphText;
}

const LITANY = ["Saint {}, pray for us.", "Blessed be {}.", "Lord, remember {} and all of that house."];
const LINES = [
  "{} laughed.",
  "“Yes,” said {}.",
  "{} said yes to {}.",
  "“Who goes there?” cried {}, and nobody answered.",
  "To my dear {} I leave a cow, a clock and the meadow by the mill.",
  "{} ran.",
  "{}笑了。",
  "「是的」{}说，把信折好放回口袋里。",
];
const LEDGER = [
  "Item {}: {} crowns, {} pence",
  "{}. Paid {} crowns, {} shillings and {} pence.",
  "No. {} — £{}.{}.0",
];
const PRICED = ["{}, {} pence", "To one {}: {} crowns", "{} … {}"];
const COUNTED = ["Stanza {} of the long song", "Chapter {}", "{}.", "Day {} at sea, and no land."];

const uneven = { joined, left, joinedAndLeft, ledgerLess, ledgerMore, elsewhere };
const kinds = { names, refrain, litany, ledger, prices, counters, headings, ...uneven };

/** Kinds in which lines came in or went besides: often nothing tells which one continues which. */
export const UNEVEN: ReadonlySet<string> = new Set(Object.keys(uneven));

/** Every kind, each as often: the same seed gives the same cases. */
export function inventTwins(count: number, seed: number): TwinCase[] {
  const random = seededRandom(seed);
  const [prose] = inventChapters({ script: "latin", seed, chapters: 1, paragraphs: 400 });
  const told = prose!.filter(({ text }) => text.length > 80); // one chapter was asked for
  const names = Object.keys(kinds) as TwinKind[];
  return Array.from({ length: count }, (_, at) => {
    const kind = names[at % names.length]!; // in range by the modulo
    return caseOf(kind, among(kinds[kind](random, told), random, told));
  });
}

/** Lines whose names all become others that no line had. */
function names(random: Random): Line[] {
  return renamed(random, pickOne(random, LINES), 2 + pickNumber(random, 9));
}

/** The same with other paragraphs between. */
function refrain(random: Random, told: readonly ParagraphText[]): Line[] {
  const start = pickNumber(random, told.length - 100);
  return names(random).flatMap((line, at) => {
    const text = told[start + at]!; // at most ten lines
    return [line, { old: text, next: text }];
  });
}

function litany(random: Random): Line[] {
  return renamed(random, pickOne(random, LITANY), 2 + pickNumber(random, 39));
}

function renamed(random: Random, template: string, count: number): Line[] {
  const names = inventNames(random, 2 * count, /[\u4e00-\u9fff]/.test(template));
  return Array.from({ length: count }, (_, at) => {
    const [was, is] = [names[at]!, names[count + at]!]; // as many of either
    return { old: p(template.replaceAll("{}", was)), next: p(template.replaceAll("{}", is)) };
  });
}

/** Numbered items whose prices all rise by the same or by a share, so that they become those of other items. */
function ledger(random: Random): Line[] {
  const template = pickOne(random, LEDGER);
  const rise = riseOf(random);
  return Array.from({ length: 2 + pickNumber(random, 39) }, (_, at) => {
    const prices = [10 + at * pickNumber(random, 3), 2 + (at % 10), 3 + pickNumber(random, 9)];
    return {
      old: p(fill(template, [at + 1, ...prices])),
      next: p(fill(template, [at + 1, ...prices.map(rise)])),
    };
  });
}

/** Goods whose one price rises: the goods stay. */
function prices(random: Random): Line[] {
  const template = pickOne(random, PRICED);
  const rise = riseOf(random);
  const goods = inventNames(random, 2 + pickNumber(random, 20));
  return goods.map((name, at) => {
    const price = 3 + at + pickNumber(random, 4);
    return { old: p(fill(template, [name, price])), next: p(fill(template, [name, rise(price)])) };
  });
}

/** Lines that are all number, each with a higher one. */
function counters(random: Random): Line[] {
  const template = pickOne(random, COUNTED);
  const write = pickOne(random, [String, toRoman]);
  const shift = 1 + pickNumber(random, 3);
  return Array.from({ length: 2 + pickNumber(random, 12) }, (_, at) => ({
    old: p(fill(template, [write(at + 1)])),
    next: p(fill(template, [write(at + 1 + shift)])),
  }));
}

/** Numbered sections of which one comes in or goes, so that all after it are numbered anew. */
function headings(random: Random, told: readonly ParagraphText[]): Line[] {
  const template = pickOne(random, ["{}", "{}.", "Chapter {}", "Part {}"]);
  const write = pickOne(random, [String, toRoman]);
  const count = 3 + pickNumber(random, 10);
  const at = pickNumber(random, count);
  const isInserted = random() < 0.5;
  const head = (number: number): ParagraphText => ({
    type: "heading",
    text: fill(template, [write(number)]),
  });
  const start = pickNumber(random, told.length - 100);
  let place = start;
  return Array.from({ length: count }, (_, section) => {
    const body = told.slice(place, place + 1 + pickNumber(random, 4));
    place += body.length;
    const isIt = section === at;
    const [before, after] = isInserted ? [Number(section <= at), 1] : [1, Number(section < at)];
    const was = isInserted && isIt ? undefined : head(section + before);
    const is = !isInserted && isIt ? undefined : head(section + after);
    return [[was, is] as const, ...body.map((text) => [was && text, is && text] as const)];
  })
    .flat()
    .map(([old, next]) => ({ ...(old && { old }), ...(next && { next }) }));
}

/** Renamed lines, and one or two that nobody had, at any place among them. */
function joined(random: Random): Line[] {
  const lines = reworded(random, pickOne(random, [names, litany, jokes])(random));
  return withMore(random, lines, 1 + pickNumber(random, 2));
}

/** Renamed lines of which one or two are gone. */
function left(random: Random): Line[] {
  const lines = reworded(random, pickOne(random, [names, litany, jokes])(random));
  return withFewer(random, lines, 1 + pickNumber(random, Math.min(2, lines.length - 1)));
}

/** Renamed lines of which one is gone, and two that nobody had. */
function joinedAndLeft(random: Random): Line[] {
  return withMore(random, withFewer(random, names(random), 1), 2);
}

/** A ledger whose prices all rise, and one of its lines is struck out. */
function ledgerLess(random: Random): Line[] {
  const lines = pickOne(random, [ledger, prices, rising])(random);
  const isEnd = (at: number) => at === 0 || at === lines.length - 1; // there the text is that of a ledger cut short
  const at = pickNumber(random, lines.length);
  return isEnd(at)
    ? lines
    : lines.map(({ old, next }, place) => ({ old: old!, ...(place !== at && { next: next! }) }));
}

/** A ledger whose prices all rise, and one line comes in. */
function ledgerMore(random: Random): Line[] {
  const lines = pickOne(random, [ledger, prices, rising])(random);
  const at = 1 + pickNumber(random, lines.length - 1);
  const { next } = pickOne(random, lines);
  const text = next!.text.replace(/\d+/g, (number) => String(Number(number) + pickNumber(random, 3)));
  return [...lines.slice(0, at), { next: p(text) }, ...lines.slice(at)];
}

/** A line is struck out, and one that nobody had comes in at another place; the others are as they were. */
function elsewhere(random: Random): Line[] {
  const template = pickOne(random, [...LITANY, ...LINES, ...JOKES]);
  const lines = renamed(random, template, 4 + pickNumber(random, 8)).map(({ old }) => ({
    old: old!,
    next: old!,
  }));
  const at = pickNumber(random, lines.length - 3);
  const next = p(nameAnew(random, template, lines));
  const isFirst = random() < 0.5;
  const gone = isFirst ? at : at + 3;
  const come = isFirst ? at + 2 + pickNumber(random, 2) : at;
  return lines.flatMap((line, place): Line[] => [
    ...(place === come ? [{ next }] : []),
    place === gone ? { old: line.old } : line,
  ]);
}

const JOKES = [
  "{} laughed at {}’s own joke, and nobody else did, for the soup was cold.",
  "Then {} put on the red coat, and {} went out to feed the horses.",
];

function jokes(random: Random): Line[] {
  return renamed(random, pickOne(random, JOKES), 2 + pickNumber(random, 5));
}

/** Lines with nothing but a price, which all rise by the same, or each by something. */
function rising(random: Random): Line[] {
  const template = pickOne(random, [
    "Paid {} crowns for the mill.",
    "{} pence",
    "To the ferryman: {} crowns.",
  ]);
  const step = pickNumber(random, 3);
  const rise = pickOne(random, [riseOf(random), (price: number) => price + 1 + pickNumber(random, 4)]);
  return Array.from({ length: 3 + pickNumber(random, 57) }, (_, at) => {
    const price = step === 0 ? 5 + pickNumber(random, 60) : 10 + at * step;
    return { old: p(fill(template, [price])), next: p(fill(template, [rise(price)])) };
  });
}

/** Some of the lines with a word more, or one less. */
function reworded(random: Random, lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    const words = line.next?.text.split(" ") ?? [];
    if (words.length < 6 || random() < 0.7) return line;
    if (random() < 0.5)
      words.splice(1 + pickNumber(random, words.length - 2), 0, pickOne(random, ["still", "there"]));
    else words.splice(3 + pickNumber(random, words.length - 4), 1);
    return { ...line, next: p(words.join(" ")) };
  });
}

/** Lines of the same form that nobody had, at any place. */
function withMore(random: Random, lines: readonly Line[], count: number): Line[] {
  const all = [...lines];
  const texts = lines.flatMap(({ old }) => old?.text ?? []);
  for (let left = count; left > 0; left--) {
    const text = nameAnew(random, formOf(texts), all);
    all.splice(pickNumber(random, all.length + 1), 0, { next: p(text) });
  }
  return all;
}

/** A text of the form with a name that no line has. */
function nameAnew(random: Random, form: string, lines: readonly Line[]): string {
  const known = lines.flatMap(({ old, next }) => [old?.text, next?.text]);
  for (;;) {
    const [name = ""] = inventNames(random, 1, /[\u4e00-\u9fff]/.test(form));
    const text = form.replaceAll("{}", name);
    if (!known.includes(text)) return text;
  }
}

function withFewer(random: Random, lines: readonly Line[], count: number): Line[] {
  const all = [...lines];
  for (let left = count; left > 0; left--) {
    const at = pickNumber(random, all.length);
    const { old } = all[at]!; // in range
    if (old !== undefined) all[at] = { old };
  }
  return all;
}

/** The form that all of a list's lines have. */
function formOf(texts: readonly string[]): string {
  const forms = [...LITANY, ...LINES, ...JOKES];
  const pattern = (form: string) =>
    new RegExp(`^${form.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll("{}", "(.+)")}$`, "u");
  return forms.find((form) => texts.every((text) => pattern(form).test(text))) ?? "{} laughed.";
}

/** Between paragraphs that stay, with one edited beside it now and then. */
function among(lines: readonly Line[], random: Random, told: readonly ParagraphText[]): Line[] {
  const [above, below] = [0, 20].map((from) => told.length - 1 - from - pickNumber(random, 20));
  const stays = (at: number): Line[] => {
    const text = told[at]!; // there are more than a hundred
    return [{ old: text, next: random() < 0.3 ? p(`${text.text} So it was.`) : text }];
  };
  return random() < 0.25 ? [...lines] : [...stays(above!), ...lines, ...stays(below!)]; // two are made above
}

function caseOf(kind: TwinKind, lines: readonly Line[]): TwinCase {
  const found: TwinCase = { kind, old: [], next: [], from: [] };
  for (const { old, next } of lines) {
    if (next !== undefined) found.next.push(next);
    if (next !== undefined) found.from.push(old === undefined ? -1 : found.old.length);
    if (old !== undefined) found.old.push(old);
  }
  return found;
}

/** As many names, none twice. */
function inventNames(random: Random, count: number, isHan = false): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    if (isHan) {
      const letters = Array.from({ length: 2 + pickNumber(random, 2) }, () => pickNumber(random, 400));
      names.add(letters.map((letter) => String.fromCharCode(0x5b89 + 11 * letter)).join(""));
      continue;
    }
    const syllables = Array.from({ length: 1 + pickNumber(random, 3) }, () =>
      pickOne(random, [
        "an",
        "be",
        "ro",
        "li",
        "mar",
        "ja",
        "ne",
        "tho",
        "wil",
        "ka",
        "ri",
        "el",
        "sa",
        "go",
        "u",
      ]),
    );
    const name = syllables.join("");
    names.add(
      name.charAt(0).toUpperCase() + name.slice(1) + pickOne(random, ["a", "e", "old", "n", "eth", "y"]),
    );
  }
  return [...names];
}

function riseOf(random: Random): (price: number) => number {
  const by = 1 + pickNumber(random, 3);
  return pickOne(random, [(price) => price + by, (price) => Math.ceil(price * 1.1), (price) => 2 * price]);
}

function fill(template: string, values: readonly (string | number)[]): string {
  let at = 0;
  return template.replaceAll("{}", () => String(values[at++]));
}

function toRoman(number: number): string {
  const tens = ["", "X", "XX", "XXX"][Math.floor(number / 10)] ?? "";
  return tens + (["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][number % 10] ?? "");
}

function p(text: string): ParagraphText {
  return { type: "paragraph", text };
}
