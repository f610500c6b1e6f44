import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guessLanguage, isOther, languageName, languageTag } from "../../src/text/language.ts";

const TEXTS: Readonly<Record<string, string>> = {
  en: "The ferry was late, and she waited for it at the end of the quay. “You have to go,” he said, but they did not look at her.",
  de: "Die Fähre war zu spät, und sie wartete auf den Mann mit dem Koffer. „Ich weiß es nicht“, sagte er, und das war eine Lüge.",
  nl: "De boot was te laat, en zij stond op het eind van de kade. „Ik weet het niet,” zei hij, maar dat was niet waar voor haar.",
  sv: "Färjan var sen, och hon stod på kajen med en väska. ”Jag vet inte om det är till dig”, sade han, som hade väntat för länge.",
  da: "Færgen var sen, og hun stod på kajen med sin taske. „Jeg ved ikke, hvad det er,“ sagde han til sig selv, og nu blev det mørkt efter regnen.",
  no: "Fergen var sen, og hun sto på kaien med en veske. «Jeg vet ikke hva det er», sa han til seg selv, og nå ble det mørkt etter regnet.",
  fr: "Le bac était en retard, et elle attendait sur le quai avec une valise. « Je ne sais pas », dit l’homme, qui regardait les vagues dans la nuit.",
  it: "Il traghetto era in ritardo, e lei aspettava sul molo con una valigia. «Non lo so», disse l’uomo, che guardava le onde del mare, ma gli occhi erano chiusi.",
  es: "El barco llegaba tarde, y ella esperaba en el muelle con una maleta. —No lo sé —dijo el hombre, que miraba las olas como si no las viera, pero se reía.",
  pt: "O barco vinha com atraso, e ela esperava no cais com uma mala. — Não sei — disse o homem, que olhava para as ondas do mar, mas não se movia.",
  pl: "Prom się spóźniał i ona czekała na niego z walizką w deszczu. — Nie wiem, co to jest — powiedział, ale nie był tak spokojny jak zawsze, bo do brzegu było daleko.",
  cs: "Přívoz měl zpoždění a ona čekala na něj se zavazadlem. „Nevím, co to je,“ řekl muž, který se díval na vlny, ale byl klidný, jako když jsem ho viděl.",
  fi: "Lautta oli myöhässä, ja hän odotti sitä laiturilla. ”En tiedä, mutta se on niin hiljaa”, sanoi mies, joka ei katsonut aaltoja, kun hänen kätensä tärisi.",
  hu: "A komp késett, és ő csak állt a parton, mint egy szobor. – Nem tudom, hogy ez mi – mondta a férfi, de már az is sok volt, ha meg tudott szólalni.",
  tr: "Vapur çok geç kaldı ve o bir bavulla bekledi. Bu gece için daha ne kadar beklemek gerek, dedi adam, ama hiç kımıldamadı, her zaman gibi.",
  ru: "Паром опаздывал, и она ждала его на пристани с чемоданом. — Я не знаю, что это, — сказал он, но его голос был тих, как вода за бортом.",
  uk: "Пором запізнювався, і вона чекала на нього з валізою. — Я не знаю, що це, — сказав він, але його голос був тихий, як вода за бортом.",
  el: "Το πλοίο άργησε και εκείνη περίμενε στην προβλήτα.",
  zh: "渡船来晚了，她提着箱子在码头上等。",
  ja: "船は遅れていて、彼女は埠頭で待っていた。",
  ko: "배가 늦어서 그녀는 부두에서 기다렸다.",
  he: "המעבורת איחרה, והיא חיכתה על הרציף.",
};

describe("the language of a text", () => {
  for (const [language, text] of Object.entries(TEXTS))
    it(`is found: ${languageName(language)}`, () => assert.equal(guessLanguage([text]), language));

  it("is that of most of it", () => {
    const all = Array.from({ length: 9 }, () => TEXTS.de!); // it is there
    assert.equal(guessLanguage([TEXTS.en!, ...all]), "de"); // so is that
  });

  it("is not guessed from too little, from names, or from one that is like others", () => {
    const unsure = ["", "Prose.", "Mara, Tobit, Nell, Ruth, Ada.", "* * *", "The end."];
    const galician = "O barco chegaba tarde e ela agardaba no peirao cunha maleta, pero non sabía nada.";
    for (const text of [...unsure, galician]) assert.equal(guessLanguage([text]), "", text);
    assert.equal(guessLanguage([]), "");
  });

  it("is named as BCP 47 has it", () => {
    const names = { de: "de", ger: "de", German: "de", pt_br: "pt-BR", "EN-gb": "en-GB", cmn: "zh" };
    for (const [name, tag] of Object.entries(names)) assert.equal(languageTag(name), tag, name);
    for (const none of ["", "und", "Elvish", "the sea", "x"]) assert.equal(languageTag(none), "", none);
  });

  it("is another only if both are surely known", () => {
    assert.ok(isOther("de", "en-US"));
    for (const [guess, tag] of [
      ["de", "de-AT"],
      ["no", "nb"],
      ["", "en"],
      ["nl", "af"],
    ] as const)
      assert.ok(!isOther(guess, tag), tag);
  });
});
