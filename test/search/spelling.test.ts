import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOf, chaptersOf } from "./book.ts";

// What stands in the text, and what a writer types to find it.
const PAIRS: readonly (readonly [string, string])[] = [
  ["Brontë", "bronte"],
  ["Bronte\u0308", "Brontë"],
  ["BRONTË", "bronte\u0308"],
  ["Bronte", "Brontë"],
  ["don’t", "don't"],
  ["don't", "dont"],
  ["O’Brien", "obrien"],
  ["O'Brien", "O’Brien"],
  ["O’Brien", "brien"],
  ["Darcy’s", "darcy"],
  ["Darcy", "Darcy's"],
  ["James’s", "james"],
  ["the girls’ room", "girls"],
  ["they’ll", "they"],
  ["l’amour", "amour"],
  ["d’Artagnan", "artagnan"],
  ["d’Artagnan", "dartagnan"],
  ["Hawaiʻi", "hawaii"],
  ["well-known", "well known"],
  ["well-known", "well-known"],
  ["to-day", "today"],
  ["today", "to-day"],
  ["to\u2010day", "to-day"],
  ["dawn—and", "dawn"],
  ["dusk–like", "dusk"],
  ["ex\u00adcellent", "excellent"],
  ["Æsop", "aesop"],
  ["cœur", "coeur"],
  ["Łódź", "lodz"],
  ["Straße", "strasse"],
  ["STRASSE", "straße"],
  ["smørrebrød", "smorrebrod"],
  ["ﬁnal", "final"],
  ["Ｆｕｌｌ", "full"],
  ["мёд", "мед"],
  ["мой", "мой"],
  ["mañana", "manana"],
  ["İstanbul", "istanbul"],
  ["ΟΔΟΣ", "οδός"],
  ["ὁδός", "οδος"],
  ["שָׁלוֹם", "שלום"],
  ["مُحَمَّد", "محمد"],
  ["U.S.A.", "USA"],
  ["USA", "U.S.A."],
  ["J.R.R. Tolkien", "jrr tolkien"],
  ["1,000 ships", "1000"],
  ["猫がいた", "猫"],
  ["東京に行く", "東京"],
  ["林黛玉", "黛玉"],
  ["林黛玉", "林黛玉"],
  ["ﾄｳｷｮｳ", "トウキョウ"],
  ["がっこう", "がっこう"],
  ["แมวกินปลา", "แมว"],
  ["서울에서", "서울"],
  ["हिन्दी", "हिन्दी"],
  ["𠮷野家", "𠮷野"],
  ["東京タワー tower", '"タワー tower"'],
];

for (const [written, typed] of PAIRS) {
  test(`find › ${JSON.stringify(typed)} finds ${JSON.stringify(written)}`, () => {
    const book = bookOf([["Nothing of the kind."], [`Here it is: ${written} as the author wrote it.`]]);
    assert.deepEqual(chaptersOf(book.find(typed, 20)), ["c2"]);
  });
}

const STRANGERS: readonly (readonly [string, string])[] = [
  ["I’ll", "ill"],
  ["we’re", "were"],
  ["がっこう", "かっこう"],
  ["東西京都", "東京"],
  ["कि", "क"],
];

for (const [written, typed] of STRANGERS) {
  test(`find › ${JSON.stringify(typed)} does not find ${JSON.stringify(written)}`, () => {
    const book = bookOf([[`Here it is: ${written} as the author wrote it.`]]);
    assert.deepEqual(chaptersOf(book.find(`"${typed}"`, 20)), []);
  });
}
