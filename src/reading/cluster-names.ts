import { append } from "../text/extremes.ts";
import { type ParsedName, parseName } from "./names/cluster-parse.ts";
import {
  COMMON,
  FAMILY,
  genderOfGiven,
  genderOfHonorific,
  isGiven,
  isSameGiven,
  PERSON_VERBS,
} from "./word-lists.ts";

/** Forms that name one person, the most telling first. */
export interface Cluster {
  /** The fact whose name or alias is among them. */
  owner: string | null;
  forms: readonly NameForm[];
}

const GIVEN_TITLES = new Set(
  "miss master madam sir lady lord don dona doña king queen prince princess sister brother emperor empress tsar".split(
    " ",
  ),
);
const ROYAL_TITLES = new Set(["king", "queen", "prince", "princess", "emperor", "empress", "tsar"]);
const PLURAL_TITLES = new Set(["misses", "messrs", "messieurs", "mesdames"]);
const NOBLE_TITLES = new Set(["sir", "lady", "lord", ...ROYAL_TITLES]);
/**
 * Gathers the forms of each person's name: "Elizabeth Bennet", "Miss Elizabeth", "Lizzy". A form that fits several
 * stays by itself; a man is never put with a woman, nor "Mrs." with "Miss"; two owners never meet. The same for any
 * order of the forms. `owners` are facts by the keys of their names; `isWord` knows words that are no given names.
 */
export function clusterNames(
  forms: readonly NameForm[],
  owners: ReadonlyMap<string, string>,
  isWord: (word: string) => boolean,
): Cluster[] {
  const people = new People(forms, { owners, isWord });
  const full = people.indexed.filter(({ rest }) => rest.length > 1);
  const titled = people.indexed.filter(({ rest, titles }) => rest.length === 1 && titles.length > 0);
  const single = people.indexed.filter(({ rest, titles }) => rest.length === 1 && titles.length === 0);
  for (const member of full) joinFull(people, member);
  // whom "Miss" with a given name leaves is "Miss" alone, and whom that leaves is "Mrs."
  const turn = ({ marriage, rest: [word = ""] }: Member) =>
    marriage !== "unmarried" ? 2 : people.byGiven(word).length > 0 ? 0 : 1;
  for (const member of titled.sort((a, b) => turn(a) - turn(b))) joinTitled(people, member);
  for (const member of single) joinSingle(people, member);
  for (const member of single) joinNickname(people, member);
  return [...new Set(people.members.map((member) => people.groupOf(member)))].map(({ owner, members }) => ({
    owner,
    forms: [...members].sort(byTelling(members)).map(({ form }) => form),
  }));
}

function joinFull(people: People, member: Member): void {
  const same = people
    .bySurname(member.surname ?? "")
    .filter((other) => other !== member && other.rest.length > 1 && people.agree(member, other));
  const close = same.filter(
    (other) =>
      other.given !== null &&
      member.given !== null &&
      isShortOf(other.given, member.given) &&
      isByHusband(other) === isByHusband(member),
  );
  for (const other of close) people.join(other, member);
  const [whole, ...others] = people.apart(same.filter(({ rest }) => endsWith(rest, member.rest)));
  if (whole !== undefined && others.length === 0) people.join(whole, member); // "Peel Edgerton"
  if (close.length > 0 || member.given?.length !== 1) return;
  const [only, ...more] = people.apart(same.filter(({ given }) => given?.startsWith(member.given ?? "")));
  if (only !== undefined && more.length === 0) people.join(only, member); // "J. Watson"
}

/** True for one given name and its pet form, or its beginning: "Chad" and "Chadwick". */
function isShortOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return isSameGiven(one, other) || (short.length > 2 && long.startsWith(short));
}

/** True for "Mrs. Newland Archer", who is not Newland Archer. */
function isByHusband({ marriage, given }: Member): boolean {
  return marriage === "married" && genderOfGiven(given ?? "") !== "female";
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return words.length > end.length && words.slice(-end.length).join(" ") === end.join(" ");
}

function joinTitled(people: People, member: Member): void {
  const [word = ""] = member.rest;
  const title = member.titles.at(-1) ?? "";
  const namesakes = people.bySurname(word).filter((other) => other !== member);
  const surnamed = namesakes.filter((other) => people.agree(member, other));
  const isName = isGiven(word) || people.byGiven(word).some(({ rest }) => rest.length > 1);
  for (const other of surnamed) {
    if (other.rest.length === 1 && other.titles.join() === member.titles.join()) people.join(other, member);
  }
  const full = people.apart(surnamed.filter(({ rest }) => rest.length > 1));
  const isFree = namesakes.every(({ rest }) => rest.length === 1); // "Mr. Franklin" may be Franklin Blake
  const isByGiven =
    FAMILY.has(title) || (isName ? isFree || GIVEN_TITLES.has(title) : isFree && GIVEN_TITLES.has(title));
  if (isByGiven && joinByGiven(people, member, surnamed.length > 0 && !isGiven(word))) return;
  const home = titledHome(people, member, { full, namesakes: member.marriage ? surnamed : namesakes });
  if (home !== undefined) people.join(home, member);
}

/** Whom of those with a given name a title and a surname mean; undefined if that is not clear. */
function titledHome(
  people: People,
  { titles, marriage }: Member,
  { full, namesakes }: { full: readonly Member[]; namesakes: readonly Member[] },
): Member | undefined {
  const title = titles.at(-1) ?? "";
  const alike = full.filter((other) => other.titles.includes(title));
  if (alike.length === 1) return alike[0];
  if (alike.length === 0 && NOBLE_TITLES.has(title)) return undefined;
  if (marriage === undefined)
    return full.length > 0 ? people.clearest(full) : rankedHome(people, titles, namesakes);
  const isWoman = ({ gender, titles }: Member) =>
    gender === "female" || (gender === undefined && titles.length === 0);
  const women = people.apart(namesakes.filter((other) => other.rest.length > 1 && isWoman(other)));
  const marked = women.filter((woman) =>
    people
      .groupOf(woman)
      .members.some((form) => (marriage === "married" ? isWife(form) : form.marriage !== undefined)),
  );
  const [only, ...others] = marked.length > 0 ? marked : women;
  return others.length === 0 ? only : undefined;
}

/** True for a woman whose title comes with her own surname: a countess, "Mrs. Jane Waule". */
function isWife({ titles, marriage, gender, surname }: Member): boolean {
  return surname !== null && titles.length > 0 && gender === "female" && marriage !== "unmarried";
}

/** "Mr. Seegrave" is "Superintendent Seegrave" where no other bears the name. */
function rankedHome(
  people: People,
  titles: readonly string[],
  namesakes: readonly Member[],
): Member | undefined {
  const [only, ...others] = people.apart(namesakes.filter(({ titles }) => titles.length > 0));
  if (only === undefined || others.length > 0) return undefined;
  const isRank = (some: readonly string[]) => some.every((title) => genderOfHonorific(title) === undefined);
  const isBelow = (some: readonly string[], other: readonly string[]) =>
    isRank(other) && (some.join() === "mr" || endsWith(other, some)); // "Inspector" and "Chief Inspector"
  return isBelow(titles, only.titles) || isBelow(only.titles, titles) ? only : undefined;
}

/** "Sir William", "Aunt Polly": the word is a given name. True when someone bears it. */
function joinByGiven(people: People, member: Member, isSurname: boolean): boolean {
  const title = member.titles.at(-1) ?? "";
  const given = people
    .byGiven(member.rest[0] ?? "")
    .filter((other) => people.agree(member, other) && (other.rest.length > 1 || !isSurname));
  const long = given.filter(({ rest }) => rest.length > 1);
  const alike = long.filter(({ titles }) => titles.includes(title));
  const homes = people.apart(alike.length > 0 ? alike : long.length > 0 ? long : given);
  const isNoble = alike.length === 0 && NOBLE_TITLES.has(title);
  const home = isNoble && homes.length > 1 ? undefined : people.clearest(homes);
  if (home !== undefined) people.join(home, member);
  return given.length > 0;
}

function joinSingle(people: People, member: Member): void {
  const [word = ""] = member.rest;
  const alike = people.byGiven(word).find(({ rest, titles }) => rest.length === 1 && titles.length === 0);
  if (alike !== undefined) people.join(alike, member); // "Europe Waymarsh" and "Waymarsh"
  const agreeing = (members: readonly Member[]) =>
    people.apart(members.filter((other) => people.agree(member, other)));
  const given = agreeing(people.byGiven(word).filter(({ rest }) => rest.length > 1));
  const surnamed = agreeing(people.bySurname(word));
  const family = surnamed.filter(({ rest }) => rest.length > 1);
  const isName = given.length > 0 && CLEARLY * countOf(given) >= countOf(family);
  const isCalledSo = member.form.count >= countOf(given); // "Dorothea", married twice
  const bearer = isCalledSo ? given[0] : people.clearest(given);
  const home = isName ? bearer : (kinCalled(word, surnamed) ?? surnameHome(people, surnamed));
  if (home !== undefined) people.join(home, member);
}

/** Whom a given name means that is met only behind a title, as in "Aunt Polly". */
function kinCalled(word: string, surnamed: readonly Member[]): Member | undefined {
  const isByGiven = (title: string) => FAMILY.has(title) || GIVEN_TITLES.has(title);
  const [kin, ...more] = surnamed.filter(({ titles, rest }) => rest.length === 1 && titles.some(isByGiven));
  return isGiven(word) && more.length === 0 ? kin : undefined;
}

/** Whom a surname alone means: its one bearer, if that is not just "Madame Gloriani"; else a man. */
function surnameHome(people: People, surnamed: readonly Member[]): Member | undefined {
  const [only, ...others] = surnamed;
  if (others.length === 0 && !(only?.rest.length === 1 && only.marriage === "married")) return only;
  const isWoman = (other: Member) => people.groupOf(other).members.some(({ gender }) => gender === "female");
  return people.clearest(surnamed.filter((other) => !isWoman(other)));
}

function joinNickname(people: People, member: Member): void {
  const [word = ""] = member.rest;
  if (!isGiven(word) || people.groupOf(member).members.some(({ rest }) => rest.length > 1)) return;
  const [home, ...others] = people.apart(
    people.members.filter(
      (other) =>
        other !== member &&
        other.given !== null &&
        other.given !== word &&
        isSameGiven(other.given, word) &&
        people.groupOf(other) !== people.groupOf(member) &&
        !isCalledByTitle(people.groupOf(other)) &&
        people.agree(member, other),
    ),
  );
  if (home !== undefined && others.length === 0) people.join(home, member);
}

/** True for "Lady Catherine", whom nobody calls Kitty. */
function isCalledByTitle({ members }: NameGroup): boolean {
  const noble = members.filter(({ titles }) => titles.some((title) => NOBLE_TITLES.has(title)));
  return 2 * countOf(noble) > countOf(members);
}

/** Given name and surname first, by the given name that is used most; then the more frequent. */
function byTelling(members: readonly Member[]): (a: Member, b: Member) => number {
  const givenCounts = new Map<string, number>();
  for (const { given, form } of members) {
    if (given !== null) givenCounts.set(given, (givenCounts.get(given) ?? 0) + form.count);
  }
  const weigh = ({ rest, titles, given, form }: Member) => ({
    full: rest.length > 1 ? (titles.length === 0 ? 2 : 1) : 0,
    given: givenCounts.get(given ?? "") ?? 0,
    words: form.count > 1 ? rest.length : 0,
  });
  return (a, b) => {
    const [one, other] = [weigh(a), weigh(b)];
    const byGiven = one.full > 0 && one.full === other.full ? other.given - one.given : 0;
    return (
      other.full - one.full ||
      byGiven ||
      other.words - one.words ||
      b.form.count - a.form.count ||
      (a.form.key < b.form.key ? -1 : 1)
    );
  };
}

/** One way of writing a name, with how often the book has it. `key`: the keys of its words, with a space between them. */
export interface NameForm {
  key: string;
  text: string;
  count: number;
}

/** Members that are taken for one person. */
export interface NameGroup {
  owner: string | null;
  members: Member[];
}

/** A form of a name with its parts. */
export interface Member extends ParsedName {
  form: NameForm;
}

/** Two names that stand side by side more seldom than once in so many times are two people, or a slip. */
const CHANCE = 20;
/** One of several must be so much more frequent that it is meant. */
const CLEARLY = 3;

/** The forms of a book's names, in the groups that they have been put in. */
class People {
  readonly members: readonly Member[];
  /** Members that may be joined: those that name one person. */
  readonly indexed: Member[] = [];
  readonly #groups = new Map<Member, NameGroup>();
  readonly #surnames = new Map<string, Member[]>();
  readonly #givens = new Map<string, Member[]>();

  /** The forms, each a group by itself, but those of one owner together; the most frequent first. */
  constructor(
    forms: readonly NameForm[],
    { owners, isWord }: { owners: ReadonlyMap<string, string>; isWord: (word: string) => boolean },
  ) {
    const sorted = [...forms].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
    this.members = sorted.map((form) => ({ form, ...parseName(form.key, isWord) }));
    const counts = new Map(forms.map(({ key, count }) => [key, count]));
    const owned = new Map<string, NameGroup>();
    for (const member of this.members) {
      const owner = owners.get(member.form.key) ?? null;
      const group = (owner === null ? undefined : owned.get(owner)) ?? { owner, members: [] };
      group.members.push(member);
      this.#groups.set(member, group);
      if (owner !== null) owned.set(owner, group);
      if (owner === null && isNobody(member, counts)) continue;
      this.indexed.push(member);
      if (member.surname !== null) add(this.#surnames, member.surname, member);
      if (member.given !== null) add(this.#givens, member.given, member);
    }
  }

  groupOf(member: Member): NameGroup {
    return this.#groups.get(member)!; // every member was put into one by the constructor
  }

  /** Members whose last or only word this is, after a title or a given name. */
  bySurname(word: string): readonly Member[] {
    return this.#surnames.get(word) ?? [];
  }

  byGiven(word: string): readonly Member[] {
    return this.#givens.get(word) ?? [];
  }

  join(one: Member, other: Member): void {
    const [into, from] = [this.groupOf(one), this.groupOf(other)];
    if (into === from || (into.owner !== null && from.owner !== null)) return;
    into.owner ??= from.owner;
    append(into.members, from.members);
    for (const member of from.members) this.#groups.set(member, into);
  }

  /** One member of each group among these, the most frequent first. */
  apart(members: readonly Member[]): Member[] {
    const seen = new Set<NameGroup>();
    return members.filter((member) => {
      const { size } = seen;
      return seen.add(this.groupOf(member)).size > size;
    });
  }

  /** The member of the group that is named most; undefined if another is named nearly as often. */
  clearest(members: readonly Member[]): Member | undefined {
    const weighed = members
      .map((member) => ({ member, count: countOf(this.groupOf(member).members) }))
      .sort((a, b) => b.count - a.count);
    const [first, second] = weighed;
    if (first === undefined) return undefined;
    return second === undefined || first.count >= CLEARLY * second.count ? first.member : undefined;
  }

  /** False for a man and a woman, for "Mrs." and "Miss", for two owners. */
  agree(one: Member, other: Member): boolean {
    const [mine, theirs] = [this.groupOf(one), this.groupOf(other)];
    if (mine !== theirs && mine.owner !== null && theirs.owner !== null) return false;
    if (isRoyal(mine) !== isRoyal(theirs) && isTitled(mine) && isTitled(theirs)) return false;
    return mine.members.every((each) =>
      theirs.members.every(
        ({ gender, marriage }) =>
          (each.gender === undefined || gender === undefined || each.gender === gender) &&
          (each.marriage === undefined || marriage === undefined || each.marriage === marriage),
      ),
    );
  }
}

/** True for several people, "Misses Davis", for a saint, and for words that met by chance once: "Beth Frank", "Meg Goes". */
function isNobody({ titles, rest, form }: Member, counts: ReadonlyMap<string, number>): boolean {
  if (titles.some((title) => PLURAL_TITLES.has(title) || title === "st")) return true;
  const [first = "", second = ""] = rest;
  const last = rest.at(-1) ?? "";
  if (rest.length < 2) return false;
  if (COMMON.has(last) || PERSON_VERBS.has(last)) return true;
  const key = rest.slice(isGiven(last) ? -1 : 1).join(" ");
  const isOther = isGiven(last) || (rest.length > 2 && !isGiven(first) && isGiven(second));
  return isOther && (counts.get(key) ?? 0) >= (form.count === 1 ? 2 : CHANCE * form.count);
}

function isRoyal({ members }: NameGroup): boolean {
  return members.some(({ titles }) => titles.some((title) => ROYAL_TITLES.has(title)));
}

function isTitled({ members }: NameGroup): boolean {
  return members.some(({ titles }) => titles.length > 0);
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** How often the book has any of these forms. */
function countOf(members: readonly Member[]): number {
  return members.reduce((sum, { form }) => sum + form.count, 0);
}
