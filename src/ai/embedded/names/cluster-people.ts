import { type ParsedName, parseName } from "./cluster-parse.ts";

/** One way of writing a name, with how often the book has it. `key` as in `keyOfWords`. */
export interface NameForm {
  key: string;
  text: string;
  count: number;
}

/** Members that are taken for one person. */
export interface Group {
  owner: string | null;
  members: Member[];
}

/** A form of a name with its parts. */
export interface Member extends ParsedName {
  form: NameForm;
}

/** One of several must be so much more frequent that it is meant. */
const CLEARLY = 3;

/** The forms of a book's names, in the groups that they have been put in. */
export interface People {
  members: Member[];
  groupOf(member: Member): Group;
  /** Members whose last or only word this is, after a title or a given name. */
  bySurname(word: string): readonly Member[];
  byGiven(word: string): readonly Member[];
  join(one: Member, other: Member): void;
}

/** The forms, each a group by itself, but those of one owner together; the most frequent first. */
export function gather(forms: readonly NameForm[], owners: ReadonlyMap<string, string>): People {
  const sorted = [...forms].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
  const members = sorted.map((form) => ({ form, ...parseName(form.key) }));
  const groups = new Map<Member, Group>();
  const owned = new Map<string, Group>();
  const surnames = new Map<string, Member[]>();
  const givens = new Map<string, Member[]>();
  for (const member of members) {
    const owner = owners.get(member.form.key) ?? null;
    const group = (owner === null ? undefined : owned.get(owner)) ?? { owner, members: [] };
    group.members.push(member);
    groups.set(member, group);
    if (owner !== null) owned.set(owner, group);
    if (member.surname !== null) add(surnames, member.surname, member);
    if (member.given !== null) add(givens, member.given, member);
  }
  const groupOf = (member: Member) => groups.get(member)!; // every member was put into one above
  return {
    members,
    groupOf,
    bySurname: (word) => surnames.get(word) ?? [],
    byGiven: (word) => givens.get(word) ?? [],
    join: (one, other) => {
      const [into, from] = [groupOf(one), groupOf(other)];
      if (into === from || (into.owner !== null && from.owner !== null)) return;
      into.owner ??= from.owner;
      into.members.push(...from.members);
      for (const member of from.members) groups.set(member, into);
    },
  };
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** One member of each group among these, the most frequent first. */
export function apart(people: People, members: readonly Member[]): Member[] {
  const seen = new Set<Group>();
  return members.filter((member) => {
    const group = people.groupOf(member);
    if (seen.has(group)) return false;
    seen.add(group);
    return true;
  });
}

/** The member of the group that is named most; undefined if another is named nearly as often. */
export function clearest(people: People, members: readonly Member[]): Member | undefined {
  const weighed = members
    .map((member) => ({
      member,
      count: people.groupOf(member).members.reduce((sum, { form }) => sum + form.count, 0),
    }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = weighed;
  if (first === undefined) return undefined;
  return second === undefined || first.count >= CLEARLY * second.count ? first.member : undefined;
}

/** False for a man and a woman, for "Mrs." and "Miss", for two owners. */
export function agree(people: People, one: Member, other: Member): boolean {
  const [mine, theirs] = [people.groupOf(one), people.groupOf(other)];
  if (mine !== theirs && mine.owner !== null && theirs.owner !== null) return false;
  return mine.members.every((each) =>
    theirs.members.every(
      ({ gender, marriage }) =>
        (each.gender === undefined || gender === undefined || each.gender === gender) &&
        (each.marriage === undefined || marriage === undefined || each.marriage === marriage),
    ),
  );
}
