const FEMALE =
  "mrs ms miss misses mesdames lady madam madame ma'am mme mlle mademoiselle aunt auntie aunty sister mother mama mamma queen empress princess duchess countess baroness viscountess marchioness mistress dame doña dona señora senora señorita senorita signora signorina donna frau fraulein fräulein granny grandma grandmother nurse abbess matron sis goody nanny";

const MALE =
  "mr messrs master mister sir lord monsieur uncle brother father papa king emperor prince duke count baron earl viscount marquis marquess don señor senor signor herr squire lieutenant sergeant corporal friar abbot sultan caliph tsar czar kaiser grandpa grandfather brer br'er père pere abbé padre goodman sahib";

const EITHER =
  "dr doctor captain capt colonel col major maj general gen lt sgt private prof professor cousin judge justice rev reverend bishop archbishop cardinal pope saint st inspector detective constable officer sheriff president commodore admiral adm governor gov senator sen mayor chief chancellor chairman secretary ambassador deacon parson pastor vicar curate commander cmdr marshal ensign lieut sergt coroner minister dean provost rabbi sheikh sheik emir khan pasha comrade citizen coach agent deputy hon honourable honorable mate skipper boatswain bo'sun bosun chef warden warder magister mage archmage ser councillor counsellor consul general-in-chief brigadier";

const HONORIFICS = new Set([EITHER, FEMALE, MALE].flatMap((words) => words.split(" ")));

/** True for a word that stands before a name and belongs to it, such as `mr` or `captain`; without its dot, in lower case. */
export function isHonorific(word: string): boolean {
  return HONORIFICS.has(word);
}
