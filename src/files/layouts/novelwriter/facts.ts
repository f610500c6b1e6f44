import { TEXTS } from "../../../service/field-rules.ts";
import type { IncomingFact } from "../../../service/interchange/import-facts.ts";
import { counted } from "../../../text/columns.ts";
import type { NwSection } from "./nwd.ts";

const KINDS: ReadonlyMap<string, string> = new Map([
  ["CHARACTER", "character"],
  ["WORLD", "location"],
  ["LOCATION", "location"],
  ["PLOT", "plot"],
  ["TIMELINE", "timeline"],
  ["OBJECT", "object"],
  ["ENTITY", "entity"],
]);

/**
 * Makes a fact of each tagged heading of a note: its display name, with tag and heading as aliases, and the text up
 * to the next tag as summary. `left` describes the rest.
 */
export function factsOfNote(
  sections: readonly NwSection[],
  of: string,
): { facts: IncomingFact[]; left?: string } {
  const kind = KINDS.get(of) ?? of.toLowerCase();
  const groups: NwSection[][] = [];
  let before = 0;
  for (const section of sections) {
    if (section.tag !== undefined) groups.push([section]);
    else if (groups.length > 0)
      groups.at(-1)!.push(section); // there is one
    else before += section.prose.trim() === "" ? 0 : 1;
  }
  const facts = groups.map((group) => toFact(group, kind));
  const comments = sections.flatMap((section) => section.comments).length;
  const isCut = groups.some((group) => summaryOf(group).length > TEXTS.summary.most);
  const left = [
    ...(before === 0 ? [] : ["text before its first @tag"]),
    ...(comments === 0 ? [] : [counted(comments, "comment")]),
    ...(isCut ? [`what goes beyond ${TEXTS.summary.most} characters`] : []),
  ];
  return {
    facts,
    ...(left.length === 0 ? {} : { left: `its facts are taken without ${left.join(" and ")}` }),
  };
}

function toFact(group: readonly NwSection[], kind: string): IncomingFact {
  const [first] = group as [NwSection];
  const { name: tag, display } = first.tag!; // a group begins with one
  const name = (display ?? tag).slice(0, TEXTS.name.most);
  const aliases = [tag, ...(isFormOf(first.title, tag) ? [first.title] : [])];
  return {
    name,
    kind,
    aliases: [...new Set(aliases)].filter((alias) => alias !== name && alias.length <= TEXTS.name.most),
    attributes: group.flatMap(({ references }) =>
      references.map(({ key, values }) => ({ key, value: values.slice(0, TEXTS.attribute.most) })),
    ),
    summary: summaryOf(group).slice(0, TEXTS.summary.most).toWellFormed().trimEnd(),
  };
}

/** True if a heading is a longer form of the tag's name: "Mara Venn" of Mara, not "Character: Mara". */
function isFormOf(title: string, tag: string): boolean {
  const words = title.toLowerCase().split(/\s+/);
  return (
    !title.includes(":") &&
    tag
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.includes(word))
  );
}

/** Returns the synopsis, followed by the text and further headings. */
function summaryOf([first, ...others]: readonly NwSection[]): string {
  const texts = [
    ...(first?.synopsis ?? []),
    first?.prose.trim() ?? "",
    ...others.flatMap(({ heading, synopsis, prose }) => [`${heading.trim()}`, ...synopsis, prose.trim()]),
  ];
  return texts.filter((text) => text !== "").join("\n\n");
}
