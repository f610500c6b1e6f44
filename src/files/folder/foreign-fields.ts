import { LENGTHS } from "../../contract/limits.ts";
import { TEXTS } from "../../service/field-rules.ts";
import type { IncomingFact } from "../../service/interchange/import-facts.ts";
import type { ForeignNote } from "../../service/interchange/import-notes.ts";
import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";
import { withoutControl } from "../../text/clean-text.ts";

/** What front matter that another program wrote says of a chapter: its ids are not ours, and its part gives way to a list's. */
export function foreignFields(
  { id: _, part, ...said }: SaidFields,
  listed: string | null | undefined,
): SaidFields {
  return part === undefined || listed !== undefined ? said : { ...said, part };
}

/** What another program's index says of a chapter, as much of it as a field takes. */
export function fittingFields({ title, part, status, synopsis }: SaidFields): SaidFields {
  return {
    ...(title === undefined ? {} : { title: fittingTitle(title) }),
    ...(part === undefined ? {} : { part: part === null ? null : fittingTitle(part) }),
    ...(status === undefined ? {} : { status }),
    ...(synopsis === undefined ? {} : { synopsis: cut(synopsis, TEXTS.synopsis.most) }),
  };
}

/** A title as another program has it, as much of it as one takes. */
export function fittingTitle(title: string): string {
  return cut(title.replace(/\s+/g, " ").trim(), TEXTS.title.most) || "Untitled";
}

/** A fact of another program, as much of it as one takes; none without a name. */
export function fittingFact({ name, kind, aliases, attributes, summary }: IncomingFact): IncomingFact[] {
  const named = cut(name, TEXTS.name.most).trim();
  const others = aliases.map((alias) => cut(alias, TEXTS.name.most).trim()).filter((alias) => alias !== "");
  const fact = {
    name: named,
    kind: cut(kind, TEXTS.kind.most),
    aliases: others.slice(0, LENGTHS.aliases),
    attributes: attributes
      .slice(0, LENGTHS.attributes)
      .map(({ key, value }) => ({ key: cut(key, TEXTS.name.most), value: cut(value, TEXTS.attribute.most) }))
      .filter(({ key }) => key.trim() !== ""),
    summary: cut(summary, TEXTS.summary.most),
  };
  return named === "" ? [] : [fact];
}

/** A note of another program, as much of it as one takes; none without a text. */
export function fittingNote({ text, ...place }: ForeignNote): ForeignNote[] {
  const fitting = cut(text.trim(), TEXTS.note.most);
  return fitting === "" ? [] : [{ ...place, text: fitting }];
}

function cut(said: string, most: number): string {
  const text = withoutControl(said).toWellFormed();
  return text.length <= most ? text : text.slice(0, most).toWellFormed().trimEnd();
}
