/** Frequent words by language; one that several have counts less. They are a fifth of English prose, a tenth of Czech. */
const WORDS: Readonly<Record<string, string>> = {
  en: "the of and to was that he she it his her had with they you not for as at but",
  de: "der die und das nicht ich sie er den dem ein eine war zu mit es auf ist sich von",
  nl: "de het een en van niet ik hij dat ze is zijn maar op voor met haar was naar zich",
  sv: "och att det som inte jag är på för med han hon ett den till av var sig mig om",
  da: "og det er ikke jeg på med han hun af sig mig dig hvad noget efter nu blev ud end være havde",
  no: "og det er ikke jeg på med han hun av seg meg deg hva noe etter nå ble ut enn være hadde",
  fr: "le la les et des est une dans pas il elle que vous qui je ne au du un avec",
  it: "il che di non una per è gli si con del della sono ma lo le un era anche nel",
  es: "el la los las y que en se con no una por para como pero lo más su del había",
  ca: "el la els les i que amb no una per va és un dels però ser seva tot en hi",
  pt: "os que não uma um com para se da do em as dos ao ela mas na no foi seu é nos",
  ro: "și de nu că la o un în cu pe mai din este să a fost care lui era sau",
  pl: "i nie się na z że do to jest jak ale był w po jego co tak za przez o",
  cs: "se na že je to jsem ale byl jako který která nebo když jeho ve co být jsou při pro ani ještě",
  sk: "sa na že je to som ale bol ako ktorý ktorá alebo keď jeho vo čo byť sú pri pre ani ešte",
  sl: "je se so bi za ki kot še ali tudi bil bila samo več in sem vse kaj pred kako ga",
  hr: "je da na nije to ali bio kao koji ili kad što su sam od biti za samo nego još ima ne",
  fi: "ja on ei se hän että oli mutta kun niin en hänen joka tai sen olla ovat minä kuin ole",
  et: "ja on ei see ta oli et kui ma aga ning tema mis oma siis või ka seda olla kes",
  hu: "a az és nem hogy egy is volt meg csak de már mint vagy ha azt ezt ki minden van",
  tr: "bir ve bu da de için ne ama o çok gibi daha ile değil her olarak var sonra kadar hiç",
  ru: "и в не на я что он она с как это но по к же за из от его все было ее",
  uk: "і в не на я що він вона з як це але по до же за із від його та було її",
  be: "і ў не на я што ён яна з як гэта але па да за ад яго яе было або",
  bg: "и в не на аз че той тя с като това но по да се за от е са си",
  sr: "и у не на ја да он она са као то али по је се за од су би из",
};
const LISTS = Object.entries(WORDS).map(([language, words]) => ({ language, words: words.split(" ") }));
const COUNTS = countsOf(LISTS.flatMap(({ words }) => words));
const KANA = /[\p{scx=Hiragana}\p{scx=Katakana}]/gu;
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ["ja", /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu],
  ["ko", /\p{sc=Hangul}/gu],
  ["el", /\p{sc=Greek}/gu],
  ["he", /\p{sc=Hebrew}/gu],
  ["th", /\p{sc=Thai}/gu],
];
const GUESSED = ["zh", ...SCRIPTS.map(([language]) => language), ...Object.keys(WORDS)];

/** Characters of each text that are looked at. */
const SAMPLE = 2000;
const FEWEST_WORDS = 6;
const LEAST_SHARE = 0.065;
const LEAST_RATIO = 1.3;

/** Guesses the language of texts by their letters and most frequent words: "de"; "" if unsure. */
export function guessLanguage(texts: readonly string[]): string {
  const sample = texts
    .map((text) => text.slice(0, SAMPLE))
    .join("\n")
    .normalize("NFC")
    .toLowerCase();
  const words = sample.match(/[\p{L}\p{M}]+/gu) ?? [];
  const letters = words.join("");
  const count = (these: RegExp) => letters.match(these)?.length ?? 0;
  const [script] = SCRIPTS.find(([, these]) => count(these) * 2 > letters.length) ?? [];
  if (script !== undefined) return script === "ja" && count(KANA) * 20 < letters.length ? "zh" : script;
  const counts = countsOf(words);
  const [best, next] = LISTS.map(({ language, words: list }) => {
    const found = list.filter((word) => counts.has(word));
    const score = found.reduce((sum, word) => sum + counts.get(word)! / COUNTS.get(word)!, 0); // both have it
    return { language, score, isSure: found.length >= FEWEST_WORDS && score >= words.length * LEAST_SHARE };
  }).toSorted((one, other) => other.score - one.score);
  return best?.isSure && best.score >= LEAST_RATIO * (next?.score ?? 0) ? best.language : "";
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns the English name of a language: "German". */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
}

/** Returns a language as BCP 47 names it: "de" for "ger" and "German", "pt-BR" for "pt_br"; "" for none. */
export function languageTag(text: string): string {
  const name = text.trim().toLowerCase();
  const tag = GUESSED.find((one) => languageName(one).toLowerCase() === name) ?? name.replaceAll("_", "-");
  try {
    return Intl.getCanonicalLocales(tag).find((one) => /^(?!und)[a-z]{2,3}(?:-|$)/.test(one)) ?? "";
  } catch {
    return "";
  }
}

/** True if a guess is sure, and a tag names another language that might have been found. */
export function isOther(guess: string, tag: string): boolean {
  const language = tag.replace(/^n[bn]\b/, "no").replace(/-.*/, "");
  return guess !== "" && guess !== language && GUESSED.includes(language);
}
