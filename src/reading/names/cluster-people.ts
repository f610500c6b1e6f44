import { append } from "../../text/extremes.ts";
import { type ParsedName, parseName } from "./cluster-parse.ts";

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

/** One of several must be so much more frequent that it is meant. */
const CLEARLY = 3;

/** The forms of a book's names, in the groups that they have been put in. */
export class People {
  readonly members: readonly Member[];
  readonly #groups = new Map<Member, NameGroup>();
  readonly #surnames = new Map<string, Member[]>();
  readonly #givens = new Map<string, Member[]>();

  /** The forms, each a group by itself, but those of one owner together; the most frequent first. */
  constructor(forms: readonly NameForm[], owners: ReadonlyMap<string, string>) {
    const sorted = [...forms].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
    this.members = sorted.map((form) => ({ form, ...parseName(form.key) }));
    const owned = new Map<string, NameGroup>();
    for (const member of this.members) {
      const owner = owners.get(member.form.key) ?? null;
      const group = (owner === null ? undefined : owned.get(owner)) ?? { owner, members: [] };
      group.members.push(member);
      this.#groups.set(member, group);
      if (owner !== null) owned.set(owner, group);
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
    return mine.members.every((each) =>
      theirs.members.every(
        ({ gender, marriage }) =>
          (each.gender === undefined || gender === undefined || each.gender === gender) &&
          (each.marriage === undefined || marriage === undefined || each.marriage === marriage),
      ),
    );
  }
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** How often the book has any of these forms. */
export function countOf(members: readonly Member[]): number {
  return members.reduce((sum, { form }) => sum + form.count, 0);
}
