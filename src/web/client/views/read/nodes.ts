/** A node of a chapter's document, as `GET /chapters/{chapterId}?format=doc` gives it. */
export interface DocNode {
  type: string;
  text?: string;
  attrs?: Readonly<Record<string, unknown>>;
  content?: readonly DocNode[];
  marks?: readonly { type: string; attrs?: Readonly<Record<string, unknown>> }[];
}

/** The document of a chapter that was read as one. */
export function docOf(chapter: object): DocNode {
  return (chapter as { doc: DocNode }).doc;
}

/** The blocks of a chapter without a first heading that only repeats its title. */
export function bodyOf(chapter: { title: string }): readonly DocNode[] {
  const blocks = docOf(chapter).content ?? [];
  const [first] = blocks;
  return first?.type === "heading" && textOf(first) === chapter.title ? blocks.slice(1) : blocks;
}

/** The `blockId` of a paragraph, heading, scene break or raw block. */
export function blockIdOf({ attrs }: DocNode): string | undefined {
  return typeof attrs?.blockId === "string" ? attrs.blockId : undefined;
}

/** All that a node says, without its marks. */
export function textOf({ text, content }: DocNode): string {
  return text ?? content?.map(textOf).join("") ?? "";
}

/** An address that may be followed from the page; undefined for any that would run something here. */
export function safeHref(href: unknown): string | undefined {
  return typeof href === "string" && /^(?:https?|mailto):/i.test(href) ? href : undefined;
}
