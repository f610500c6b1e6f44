import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { reconcile } from "../../src/prose/reconcile/reconcile.ts";

const p = (text: string): ParagraphText => ({ type: "paragraph", text });
const anchored = (text: string): ParagraphText => ({ type: "paragraph", text, anchored: true });
const sceneBreak: ParagraphText = { type: "scene_break", text: "" };

const storm = p("The storm came over the harbour before anyone had thought to bring the boats in.");
const letter = p("Anna read the letter twice, folded it, and put it where nobody would look for it.");
const supper = p("At supper they spoke of the price of salt and of nothing else that mattered.");
const lamp = p("The lamp went out at midnight, and the old house began to talk to itself.");
const chapter = [storm, letter, supper, lamp];

const from = (old: ParagraphText[], next: ParagraphText[]): number[] => [...reconcile(old, next).from];
const into = (old: ParagraphText[], next: ParagraphText[]): number[] => [...reconcile(old, next).into];

describe("reconcile › equal text", () => {
  it("keeps every id of an unchanged chapter", () => {
    assert.deepEqual(from(chapter, structuredClone(chapter)), [0, 1, 2, 3]);
  });

  it("gives new ids to all of a new chapter, and loses all of an emptied one", () => {
    assert.deepEqual(from([], chapter), [-1, -1, -1, -1]);
    assert.deepEqual(from(chapter, []), []);
    assert.deepEqual(into(chapter, []), [-1, -1, -1, -1]);
  });

  it("keeps ids where only line breaks and spaces changed", () => {
    assert.deepEqual(
      from([letter, p("She  left.")], [p(letter.text.replaceAll(" ", "\n")), p(" She left. ")]),
      [0, 1],
    );
  });

  it("keeps ids where only quotes, dashes, case and punctuation changed", () => {
    const old = [p("“Don’t go—not yet,” said Anna."), p("The End")];
    assert.deepEqual(from(old, [p('"Don\'t go -- not yet!" said anna'), p("THE END.")]), [0, 1]);
  });

  it("follows a paragraph wherever it moved", () => {
    assert.deepEqual(from(chapter, [lamp, storm, letter, supper]), [3, 0, 1, 2]);
    assert.deepEqual(from(chapter, [lamp, supper, letter, storm]), [3, 2, 1, 0]);
  });

  it("keeps the id of a paragraph that became a heading", () => {
    assert.deepEqual(
      from([p("The Harbour"), storm], [{ type: "heading", text: "The Harbour" }, storm]),
      [0, 1],
    );
  });

  it("prefers the paragraph of the same type", () => {
    const heading = { type: "heading", text: "The Harbour" };
    assert.deepEqual(from([p("The Harbour"), storm, heading], [heading, storm, p("The Harbour")]), [2, 1, 0]);
  });
});

describe("reconcile › likeness", () => {
  const edited = p("Anna read the letter twice more, folded it, and hid it where nobody would look for it.");

  it("keeps the id of an edited paragraph", () => {
    assert.deepEqual(from(chapter, [storm, edited, supper, lamp]), [0, 1, 2, 3]);
  });

  it("does not let a paragraph inserted above an edited one steal its id", () => {
    const above = p("Nobody in the village had written a letter since the war, and nobody had received one.");
    assert.deepEqual(from(chapter, [storm, above, edited, supper, lamp]), [0, -1, 1, 2, 3]);
    assert.deepEqual(from([letter], [above, edited]), [-1, 0]);
  });

  it("does not let a close copy inserted above it steal its id", () => {
    const copy = p("Anna read the book once, shut it, and put it where everybody would look for it.");
    assert.deepEqual(from(chapter, [storm, copy, edited, supper, lamp]), [0, -1, 1, 2, 3]);
  });

  it("gives a new id to a paragraph that was written anew in the same place", () => {
    const other = p("It rained for eleven days, and on the twelfth the bridge was gone.");
    assert.deepEqual(from(chapter, [storm, other, supper, lamp]), [0, -1, 2, 3]);
  });

  it("follows a paragraph that moved and was edited", () => {
    assert.deepEqual(from(chapter, [storm, supper, lamp, edited]), [0, 2, 3, 1]);
  });

  it("tells edited near-identical lines apart when a line is inserted above them", () => {
    const line = (n: number, verb: string): ParagraphText =>
      p(`Line ${n} of the ledger was ${verb} in the book.`);
    const numbers = Array.from({ length: 10_000 }, (_, at) => at);
    const old = numbers.map((n) => line(n, "written"));
    const next = [p("A line that is quite new."), ...numbers.map((n) => line(n, "put down"))];
    assert.deepEqual(from(old, next), [-1, ...numbers]);
  });

  it("keeps the id of a short line that grew", () => {
    assert.deepEqual(
      from([storm, p("“Yes.”"), lamp], [storm, p("“Yes.” He shut the door."), lamp]),
      [0, 1, 2],
    );
  });

  it("keeps the id of a line that is all name when a character is renamed", () => {
    const old = [
      p("“Lucy!”"),
      p("He called Lucy twice before she heard him."),
      p("“Lucy.”"),
      p("By then Lucy had seen the light on the water."),
      p("There was no answer, and Lucy went down to the shore."),
    ];
    const next = old.map(({ text }) => p(text.replace("Lucy", "Wilhelmina")));
    assert.deepEqual(from(old, next), [0, 1, 2, 3, 4]);
  });

  it("matches by likeness in scripts without spaces or Latin letters", () => {
    const cases = [
      ["他把信读了两遍，折好，放在没有人会找的地方。", "他把那封信读了三遍，折好，放在没有人会找的地方。"],
      [
        "彼女は手紙を二度読んで、誰にも見つからない場所にしまった。",
        "彼女は手紙を三度読んで、誰も見つけない場所にそっとしまった。",
      ],
      [
        "Анна дважды прочла письмо и спрятала его там, где никто не найдёт.",
        "Анна трижды прочла письмо и спрятала туда, где никто не найдёт.",
      ],
      [
        "قرأت آنا الرسالة مرتين ثم خبأتها حيث لن يجدها أحد.",
        "قرأت آنا تلك الرسالة ثلاث مرات ثم خبأتها حيث لن يجدها أحد.",
      ],
    ] as const;
    const old = cases.map(([before]) => p(before));
    const next = cases.map(([, after]) => p(after)).reverse();
    assert.deepEqual(from(old, next), [3, 2, 1, 0]);
  });
});

describe("reconcile › equal paragraphs", () => {
  const yes = p("“Yes.”");

  it("pairs duplicates by their neighbours", () => {
    const old = [storm, yes, letter, yes, supper, yes, lamp];
    assert.deepEqual(from(old, [storm, letter, yes, supper, yes, lamp]), [0, 2, 3, 4, 5, 6]);
    assert.deepEqual(from(old, [storm, yes, letter, supper, yes, lamp]), [0, 1, 2, 4, 5, 6]);
  });

  it("pairs duplicates by neighbours that were half rewritten themselves", () => {
    const halve = ({ text }: ParagraphText): ParagraphText =>
      p(`${text.slice(0, 40)} in the end, as all of them knew.`);
    const old = [
      storm,
      yes,
      letter,
      supper,
      lamp,
      yes,
      p("And that was the end of the matter for a year or more."),
    ];
    const next = [storm, letter, supper, lamp].map(halve).concat(yes, halve(old[6]!)); // it has seven
    assert.deepEqual(from(old, next), [0, 2, 3, 4, 5, 6]);
  });

  it("does not go by a paragraph that moved to stand before an equal line", () => {
    const old = [storm, lamp, yes, letter, supper, yes, p("Rain."), p("Nobody slept.")];
    assert.deepEqual(
      from(old, [storm, yes, letter, supper, lamp, yes, p("Nobody slept.")]),
      [0, 2, 3, 4, 1, 5, 7],
    );
  });

  it("finds a duplicate a place or two from where its rewritten surroundings put it", () => {
    const old = [storm, p("Fog."), yes, p("Mud."), letter, yes, supper, p("“No.”")];
    const next = [storm, yes, p("Rain."), p("Hills."), p("A bird."), letter, p("Smoke."), supper, p("“Oh.”")];
    assert.deepEqual(from(old, next), [0, 2, -1, -1, -1, 4, -1, 6, -1]);
  });

  it("does not hand a line's id to an equal line written far away", () => {
    const others = Array.from({ length: 12 }, (_, at) => p(`${"abcdefghijkl"[at]?.repeat(9)} stood alone.`));
    const edit = (paragraph: ParagraphText): ParagraphText => p(`${paragraph.text} So it was said.`);
    const old = [storm, yes, ...others, yes, lamp];
    const next = [edit(storm), ...others.slice(0, 6), yes, ...others.slice(6), yes, edit(lamp)];
    assert.deepEqual(from(old, next), [0, 2, 3, 4, 5, 6, 7, -1, 8, 9, 10, 11, 12, 13, 14, 15]);
  });

  it("prefers the anchored one where nothing else tells them apart", () => {
    const marked = anchored("“Yes.”");
    assert.deepEqual(from([storm, yes, marked, lamp], [storm, yes, lamp]), [0, 2, 3]);
    assert.deepEqual(from([storm, marked, yes, lamp], [storm, yes, lamp]), [0, 1, 3]);
  });

  it("lets the neighbours decide against the anchor", () => {
    const old = [storm, yes, letter, supper, anchored("“Yes.”"), lamp];
    assert.deepEqual(from(old, [storm, yes, letter, supper]), [0, 1, 2, 3]);
    assert.deepEqual(from([storm, yes, letter, anchored("“Yes.”"), supper], [storm, yes, lamp]), [0, 1, -1]);
  });

  it("pairs scene breaks by their neighbours and never with another type", () => {
    const old = [storm, sceneBreak, letter, sceneBreak, supper];
    assert.deepEqual(from(old, [storm, letter, sceneBreak, supper]), [0, 2, 3, 4]);
    assert.deepEqual(from([storm, sceneBreak], [storm, p("")]), [0, -1]);
  });

  it("keeps scene breaks in order when everything around them is new", () => {
    assert.deepEqual(
      from([storm, sceneBreak, letter, sceneBreak], [supper, sceneBreak, lamp, sceneBreak]),
      [-1, 1, -1, 3],
    );
  });
});

describe("reconcile › splits and merges", () => {
  const joined = (...parts: ParagraphText[]): ParagraphText => p(parts.map((part) => part.text).join(" "));
  const short = p("Nobody came.");

  it("leaves the id of a split paragraph with the longer half, the first of two that are as long", () => {
    assert.deepEqual(from([joined(short, letter), lamp], [short, letter, lamp]), [-1, 0, 1]);
    assert.deepEqual(from([joined(letter, short), lamp], [letter, short, lamp]), [0, -1, 1]);
    const halves = [p("The red door was open."), p("The old door was shut.")];
    assert.deepEqual(from([joined(...halves), lamp], [...halves, lamp]), [0, -1, 1]);
    const cries = p("“No!” “No?” “No…” “Oh, no!” — “No!”"); // longer in characters, though not in letters
    const calm = p("He would not hear a word of it.");
    assert.deepEqual(from([joined(cries, calm), lamp], [cries, calm, lamp]), [0, -1, 1]);
  });

  it("leaves the id of merged paragraphs with the longer part and says where the other went", () => {
    const old = [storm, letter, short, lamp];
    const next = [storm, joined(letter, short), lamp];
    assert.deepEqual(from(old, next), [0, 1, 3]);
    assert.deepEqual(into(old, next), [-1, -1, 1, -1]);
  });

  it("names the survivor for each of several that were absorbed", () => {
    const old = [short, letter, p("“Who is there?”"), lamp];
    const next = [joined(short, letter, old[2]!), lamp];
    assert.deepEqual(from(old, next), [1, 3]);
    assert.deepEqual(into(old, next), [0, -1, 0, -1]);
  });

  it("names the survivor of a merge that was edited", () => {
    const next = [p(`${supper.text} ${letter.text.replace("twice", "aloud")}`), lamp];
    assert.deepEqual(into([supper, letter, lamp], next), [0, -1, -1]);
  });

  it("names no survivor for a paragraph that is gone", () => {
    assert.deepEqual(into(chapter, [storm, supper, lamp]), [-1, -1, -1, -1]);
    const grown = p(`${supper.text} Nobody listened.`);
    assert.deepEqual(into(chapter, [storm, grown, lamp]), [-1, -1, -1, -1]);
    const echo = joined(letter, short);
    assert.deepEqual(into([short, echo, lamp], [joined(p("Anna waited."), echo), lamp]), [-1, -1, -1]);
  });
});
