import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { typesetter } from "../../src/web/client/views/write/text/typeset.ts";

/** By language: what is typed, and how it is set. */
const CASES: readonly (readonly [language: string, typed: string, set: string])[] = [
  ["en", `"It's 'so'"-"well..."`, "“It’s ‘so’”-“well…”"],
  ["en-GB", `'Tis the '90s, 'cause rock 'n' roll.`, "’Tis the ’90s, ’cause rock ’n’ roll."],
  ["en", `In '68 they got 'em. 'Nothing,' he said`, "In ’68 they got ’em. ‘Nothing,’ he said"],
  ["en", `"But I--" "'What?'" (it's "so")`, "“But I–” “‘What?’” (it’s “so”)"],
  ["en", "one--two---three....", "one–two—three…."],
  ["en", "<!-- so", "<!-- so"],
  ["en", "at https://example.org/a--b...c -- so", "at https://example.org/a--b...c – so"],
  ["de-DE", `"Wie geht's?" 'Ja, geht's gut' Hans' "Hut"`, "„Wie geht’s?“ ‚Ja, geht’s gut‘ Hans’ „Hut“"],
  ["de-CH", `"Ja 'so'"`, "«Ja ‹so›»"],
  ["fr", `"L'or," dit-il`, "«\u202fL’or,\u202f» dit-il"],
  ["pl", `"tak"`, "„tak”"],
  ["sv", `"ja"`, "”ja”"],
  ["pt-PT", `"sim"`, "«sim»"],
  ["pt-BR", `"sim"`, "“sim”"],
  ["it", `"l'altro"`, "«l’altro»"],
  ["xx", `"so"`, "“so”"],
];

describe("typesetter", () => {
  for (const [language, typed, set] of CASES)
    it(`sets ${language}: ${typed}`, () => {
      const setAs = typesetter(language);
      let text = "";
      for (const character of typed) text = setAs(text + character);
      assert.equal(text, set);
    });
});
