import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";

/** The status that another program's word for one means, if that is plain; else undefined. */
export function statusOf(label: string): "draft" | "revising" | "done" | undefined {
  const word = label.trim().toLowerCase();
  if (/^(?:new|to ?do|idea|outline|started|in progress|wip|(?:1st|first|rough) draft|draft)$/.test(word))
    return "draft";
  if (/^(?:(?:2nd|3rd|second|third|revised) draft|revis(?:ing|ed|ion)|edit(?:ing|ed)?)$/.test(word))
    return "revising";
  return /^(?:done|finished|final(?: draft)?|complete[d]?|published)$/.test(word) ? "done" : undefined;
}

/** What front matter that another program wrote says of a chapter: its ids are not ours, and its part gives way to `part`. */
export function foreignFields(
  { title, part, status, synopsis }: SaidFields,
  listed: string | null | undefined,
): SaidFields {
  const known = status === undefined ? undefined : statusOf(status);
  return {
    ...(title === undefined ? {} : { title }),
    ...(part === undefined || listed !== undefined ? {} : { part }),
    ...(known === undefined ? {} : { status: known }),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}
