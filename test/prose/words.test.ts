import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readingText } from "../../src/prose/document/text.ts";
import { countBlockWords } from "../../src/prose/document/words.ts";
import { countWords } from "../../src/text/count-words.ts";
import { br, code, em, h, hr, img, li, p, quote, raw, ref, tag, ul } from "../build.ts";
import { parse, randomly } from "./rewrite.ts";

const FIXTURES: [string, number][] = [
  ["", 0],
  ["one", 1],
  ["one two\nthree\tfour", 4],
  ["can't can’t well-known 3,000.50 e.g. U.S.A.", 6],
  ["rock 'n' roll, ’tis ‘quoted’", 5],
  ["yes—no yes–no yes--no yes…no", 8],
  ["a -- b - c … ⸺ ⸻ * # 'n", 4],
  ["a''b a.,b a-.b", 6],
  ["non\u2011breaking hy\u2010phen co\u00adop", 3],
  ["e\u0301te\u0301 n\u0303", 2],
  ["❤️ 👩‍👩‍👧 ⁂ ★", 0],
  ["½ ² Ⅷ ٣٤", 4],
  ["漢字とカタカナ", 7],
  ["コーヒー、々。", 5],
  ["が", 1],
  ["iPhoneを買う", 4],
  ["한국어 문장", 2],
  ["Привет, мир! שלום עליכם مرحبا بالعالم", 6],
  ["می\u200cخواهم", 1],
  ["ภาษาไทย", 2],
  ["ภาษาไทย and ภาษาไทย", 5],
  ["𝒜lpha 𠮷野家", 4],
];

for (const [text, words] of FIXTURES) {
  test(`countWords › counts ${words} in ${JSON.stringify(text)}`, () =>
    assert.equal(countWords(text), words));
}

test("countWords › agrees with the contract's definition on any text of letters, joiners and dashes", (t) => {
  const settings = randomly(2000);
  t.diagnostic(`seed ${settings.seed}`);
  const joined = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ\-‐‑.,][\p{L}\p{N}\p{M}]+)*/gu;
  const text = fc
    .array(fc.constantFrom(..."aéЖ5٣'’-‐‑.,–—…- \n\"!"), { maxLength: 30 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (any) => assert.equal(countWords(any), any.match(joined)?.length ?? 0)),
    settings,
  );
});

test("countBlockWords › adds up the leaves of a container", () => {
  assert.equal(
    countBlockWords(quote(h(1, "One two"), ul(li("three"), li("four", "five")), code("js", "let six"))),
    7,
  );
});

for (const [cell, words] of [
  ["إصدار&nbsp;التطبيق", 2],
  ["Nampont[^29]", 1],
  ["[^29]", 0],
  ["caf&eacute; na&#239;ve na&#xEF;ve", 3],
  ["don&rsquo;t &amp; won&apos;t &mdash; no", 3],
  ["![a map](map.png) [one two](x.md) <br>three", 3],
  ["AT&T &c. 1&2", 5],
] as const) {
  test(`countBlockWords › counts ${words} in a table's ${cell}, as elsewhere`, () => {
    assert.equal(countBlockWords(raw("table", `| ${cell} |\n|---|`)), words);
    const paragraph = parse(`${cell}\n`).reduce((sum, block) => sum + countBlockWords(block), 0);
    assert.equal(paragraph, words);
  });
}

test("countBlockWords › separates words at breaks and images, not at marks, tags and notes", () => {
  assert.equal(
    countBlockWords(p("un", em("believ"), "able", ref("1"), br(), "next", img("x", "alt text"), "last")),
    3,
  );
  assert.equal(countBlockWords(p("un", tag("<b>"), "done")), 1);
});

test("countBlockWords › counts a table's cells and no HTML, comment, front matter or scene break", () => {
  assert.equal(
    countBlockWords(raw("table", "| one | [two](http://x.y) |\n|---|---|\n| <b>three</b> | |")),
    3,
  );
  assert.equal(countBlockWords(raw("html", "<!-- one two -->")), 0);
  assert.equal(countBlockWords(raw("front_matter", "---\ntitle: one\n---")), 0);
  assert.equal(countBlockWords(hr()), 0);
});

test("countWords › counts Thai, Lao, Khmer and Burmese of any length as the dictionary cuts it", () => {
  const phrases = ["เรือข้ามฟากมาถึงช้าหลังพระอาทิตย์ตก", "ຜູ້ຊາຍຄົນນັ້ນກັບບ້ານ", "ខ្ញុំទៅផ្សារ", "ကျွန်တော်အိမ်ပြန်သည်"];
  const segmenter = new Intl.Segmenter("th", { granularity: "word" });
  for (const phrase of phrases) {
    for (const length of [990, 1000, 1001, 2013, 5000]) {
      const text = phrase.repeat(Math.ceil(length / phrase.length)).slice(0, length);
      const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
      assert.equal(countWords(text), words, `${phrase} ${length}`);
    }
  }
});

for (const [markdown, words, text] of [
  ["a %%b c%% d", 2, "a  d"],
  ["%%\nb\n*c*\n%%", 0, ""],
  ["[[target|shown man]] and [[target]]", 4, "shown man and target"],
  ["[[target|*shown*]] `[[as|code]]`", 3, "shown [[as|code]]"],
  ["![[map.png|300]]", 0, ""],
  ["[Caps]{.smallcaps} *x*{#id}", 2, "Caps x"],
  ["# Heading {#id .unnumbered}", 1, "Heading"],
  ["![](map.png){width=50%}", 0, ""],
  ["{a name} in braces", 4, "{a name} in braces"],
  ["::: {.epigraph}\nWords here\n:::", 2, "Words here"],
  ["> [!note] Title\n> and words", 3, "Title\nand words"],
  ["\\newpage", 0, ""],
  ["\\noindent One \\Napoleon", 2, "One \\Napoleon"],
  ['{{< figure src="a b" >}} x {{% aside %}}y{{% /aside %}}', 2, "x y"],
  ['{{<figure src="a b">}}', 0, ""],
  ["1984. It was cold", 4, "1984. It was cold"],
  ["> 1984.", 1, "1984."],
  ["1984. One\n1985. Two", 4, "1984. One\n1985. Two"],
  ["1914. War came.\n\n1918. Peace came.", 6, "1914. War came.\n\n1918. Peace came."],
  ["1914) War\n\n1918) Peace", 2, "War\n\nPeace"],
  ["1914. War\n\n1918. Peace\n\n      came", 3, "War\n\nPeace\n\ncame"],
  ["12. Twelve", 1, "Twelve"],
  ["#", 0, "* * *"],
  ["| [[a\\|b c]] | x{.y} |\n|---|---|", 3, "| [[a\\|b c]] | x{.y} |\n|---|---|"],
] as const) {
  test(`countBlockWords › counts and readingText shows what a reader reads of ${JSON.stringify(markdown)}`, () => {
    const [block, more] = parse(`${markdown}\n`);
    assert.ok(block !== undefined && more === undefined);
    assert.deepEqual([countBlockWords(block), readingText(block)], [words, text]);
  });
}
