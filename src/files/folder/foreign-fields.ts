import { LENGTHS } from "../../contract/limits.ts";
import { METADATA_CHARACTERS, type MetadataField, TEXTS } from "../../service/field-rules.ts";
import type { IncomingFact } from "../../service/interchange/import-facts.ts";
import type { ForeignNote } from "../../service/interchange/import-notes.ts";
import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";
import { withoutControl } from "../../text/clean-text.ts";
import { collapseSpace } from "../../text/fold.ts";
import { languageTag } from "../../text/language.ts";

/** Returns the fields of front matter from another program. Its ids are not ours, and a list's part comes first. */
export function foreignFields(
  { id: _, part, ...said }: SaidFields,
  listed: string | null | undefined,
): SaidFields {
  return part === undefined || listed !== undefined ? said : { ...said, part };
}

/** Returns the fields from another program's index, cut to our limits. */
export function fittingFields({ title, part, status, synopsis }: SaidFields): SaidFields {
  return {
    ...(title === undefined ? {} : { title: fittingTitle(title) }),
    ...(part === undefined ? {} : { part: part === null ? null : fittingTitle(part) }),
    ...(status === undefined ? {} : { status }),
    ...(synopsis === undefined ? {} : { synopsis: cut(synopsis, TEXTS.synopsis.most) }),
  };
}

/** Returns a title cut to our limit. */
export function fittingTitle(title: string): string {
  return cut(title.replace(/\s+/g, " ").trim(), TEXTS.title.most) || "Untitled";
}

/** Returns a field of a book cut to our limit, on one line but for a description; "" for what is no language. */
export function fittingMetadata(field: MetadataField, text: string): string {
  if (field === "language") return languageTag(text);
  return cut(field === "description" ? text : collapseSpace(text), METADATA_CHARACTERS[field]).trim();
}

/** Returns a fact of another program cut to our limits; none without a name. */
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

/** Returns a note of another program cut to our limits; none without a text. */
export function fittingNote({ text, author = "", replies = [], ...rest }: ForeignNote): ForeignNote[] {
  const fitting = cut(text.trim(), TEXTS.note.most);
  const answers = replies.slice(0, LENGTHS.replies).map(({ author: by, text: said, at }) => ({
    ...{ author: cut(by, TEXTS.name.most), text: cut(said, TEXTS.note.most), at },
  }));
  return fitting === ""
    ? []
    : [{ ...rest, text: fitting, author: cut(author, TEXTS.name.most), replies: answers }];
}

function cut(said: string, most: number): string {
  const text = withoutControl(said).toWellFormed();
  return text.length <= most ? text : text.slice(0, most).toWellFormed().trimEnd();
}
