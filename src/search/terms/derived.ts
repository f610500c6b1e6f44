/** Stands before a term that is a word without what is written onto it: the word itself ranks above it. */
const DERIVED = "\u0001";

/** Arabic's article, with what may be written onto it: الكتاب, والكتاب, للكتاب. */
const ARABIC = /^[وف]?(?:[بلك]?ال|لل)(?=.{2})/u;
/** Hebrew's article and prepositions, one or two of them: המלך, שבבית. */
const HEBREW = [/^[הובלכמש](?=\p{Script=Hebrew}{3})/u, /^[ושכמלב][הבלכמש](?=\p{Script=Hebrew}{3})/u];
const MAY_CARRY = /^[\u05d0-\u05ea\u0621-\u064a]/;

/** What a folded word may be without the article and the prepositions that Arabic and Hebrew write onto it. */
export function bareForms(term: string): string[] {
  if (!MAY_CARRY.test(term)) return [];
  return [ARABIC, ...HEBREW].flatMap((onto) => {
    const bare = term.replace(onto, "");
    return bare === term ? [] : [bare];
  });
}

/** The term under which a passage is indexed for a bare form that does not stand in it so. */
export function derivedTerm(bare: string): string {
  return DERIVED + bare;
}

/** The terms by which a word is found that is written with other prefixes, or without any. */
export function derivedTermsOf(term: string): string[] {
  const bare = bareForms(term);
  return [derivedTerm(term), ...bare, ...bare.map(derivedTerm)];
}
