/** The gender of whom a word is about. */
export type Gender = "female" | "male";

const FEMALE =
  "mrs ms miss mesdames lady madam madame ma'am mme mlle mademoiselle aunt auntie aunty sister mother mama mamma queen empress princess duchess countess baroness viscountess marchioness mistress dame doña dona señora senora señorita senorita signora signorina donna frau fraulein fräulein granny grandma grandmother nurse abbess matron sis goody nanny";

const MALE =
  "mr messrs master mister sir lord monsieur uncle brother father papa king emperor prince duke count baron earl viscount marquis marquess don señor senor signor herr squire lieutenant sergeant corporal friar abbot sultan caliph tsar czar kaiser grandpa grandfather brer br'er père pere abbé padre goodman sahib";

const EITHER =
  "dr doctor captain capt colonel col major maj general gen lt sgt private prof professor cousin judge justice rev reverend bishop archbishop cardinal pope saint st inspector detective constable officer sheriff president commodore admiral adm governor gov senator sen mayor chief chancellor chairman secretary ambassador deacon parson pastor vicar curate commander cmdr marshal ensign lieut sergt cllr canon coroner minister dean provost rabbi sheikh sheik emir khan pasha comrade citizen coach agent deputy hon honourable honorable mate skipper boatswain bo'sun bosun chef warden warder magister mage archmage ser councillor counsellor consul general-in-chief brigadier";

const split = (words: string): string[] => words.split(" ");

/** Kin and nurses, after whom a given name follows: "Uncle Toby". */
export const FAMILY: ReadonlySet<string> = new Set(
  split(
    "uncle aunt auntie aunty sister brother cousin father mother mama mamma papa granny grandma grandmother grandpa grandfather nurse nanny brer br'er sis",
  ),
);

const GENDERS = new Map<string, Gender | null>([
  ...split(EITHER).map((word): [string, null] => [word, null]),
  ...split(FEMALE).map((word): [string, Gender] => [word, "female"]),
  ...split(MALE).map((word): [string, Gender] => [word, "male"]),
]);

const married = new Set(split("mrs madame mme señora senora signora frau"));
const unmarried = new Set(split("miss mlle mademoiselle señorita senorita signorina fraulein fräulein"));

/** True for a word that comes before a name and belongs to it, such as `mr` or `captain`; without its dot, in lower case. */
export function isHonorific(word: string): boolean {
  return GENDERS.has(word);
}

/** The gender of those who bear an honorific; undefined if it tells nothing. */
export function genderOfHonorific(word: string): Gender | undefined {
  return GENDERS.get(word) ?? undefined;
}

/** "Mrs." and "Miss" of one surname are two people. */
export function marriageOf(word: string): "married" | "unmarried" | undefined {
  if (married.has(word)) return "married";
  return unmarried.has(word) ? "unmarried" : undefined;
}
