import { type ComponentChildren, h, type JSX } from "preact";
import { blockIdOf, type DocNode, safeHref } from "./nodes.ts";

/** What a view adds to the plain text: something beside a paragraph, and what a mention does. */
export interface Beside {
  bookId: string;
  /** What stands beside a paragraph; undefined for most. */
  notesOf?(blockId: string): ComponentChildren | undefined;
  onMention?(event: MouseEvent, factId: string): void;
  /** Names of the facts that are mentioned, by id. */
  openFactId?: string | undefined;
}

/** The blocks of a chapter as a book page sets them. One component for all: one a paragraph and mention costs twice as much. */
export function Prose({ blocks, beside }: { blocks: readonly DocNode[]; beside: Beside }): JSX.Element {
  const first = blocks.findIndex(({ type }) => type === "paragraph");
  return (
    <>
      {blocks.map((node, index) => {
        const before = blocks[index - 1]?.type;
        const isOpen = node.type === "paragraph" && before !== "paragraph";
        const kind = index === first && before !== "blockquote" ? "open versal" : isOpen ? "open" : "";
        return block(node, { kind, beside, key: index });
      })}
    </>
  );
}

function block(
  node: DocNode,
  { kind, beside, key }: { kind: string; beside: Beside; key: number },
): JSX.Element {
  const id = blockIdOf(node);
  const notes = id === undefined ? undefined : beside.notesOf?.(id);
  if (notes === undefined) return shownBlock(node, { kind, beside, key: id ?? key });
  return (
    <div class="noted" key={id}>
      {shownBlock(node, { kind, beside, key: 0 })}
      {notes}
    </div>
  );
}

const HEADINGS = ["h2", "h2", "h3", "h4", "h5", "h6"] as const;

function shownBlock(
  node: DocNode,
  { kind, beside, key }: { kind: string; beside: Beside; key: string | number },
): JSX.Element {
  const id = blockIdOf(node);
  const at = id === undefined ? { key } : { key, id, tabIndex: -1, "data-block": id };
  switch (node.type) {
    case "paragraph":
      return (
        <p class={`b ${kind}`} {...at}>
          {inline(node.content, beside)}
        </p>
      );
    case "heading":
      return h(
        HEADINGS[Number(node.attrs?.level ?? 2) - 1] ?? "h6",
        { class: "b", ...at },
        inline(node.content, beside),
      );
    case "scene_break":
      return <hr {...at} />;
    case "blockquote":
      return <blockquote key={key}>{inner(node, beside)}</blockquote>;
    case "bullet_list":
      return (
        <ul class="list" key={key}>
          {inner(node, beside)}
        </ul>
      );
    case "ordered_list":
      return (
        <ol class="list" key={key} start={Number(node.attrs?.order ?? 1)}>
          {inner(node, beside)}
        </ol>
      );
    case "list_item":
      return <li key={key}>{inner(node, beside)}</li>;
    case "footnote":
      return (
        <div class="footnote" key={key} id={`fn-${node.attrs?.label}`}>
          <sup>{String(node.attrs?.label)}</sup>
          {inner(node, beside)}
        </div>
      );
    default:
      return (
        <pre class="raw" {...at}>
          {node.content?.map(({ text }) => text).join("")}
        </pre>
      );
  }
}

function inner({ content }: DocNode, beside: Beside): JSX.Element[] {
  return (content ?? []).map((node, key) => block(node, { kind: "", beside, key }));
}

function inline(nodes: readonly DocNode[] | undefined, beside: Beside): ComponentChildren {
  return nodes?.map((node) => marked(node, beside));
}

function marked(node: DocNode, beside: Beside): ComponentChildren {
  return (node.marks ?? []).reduceRight<ComponentChildren>((within, { type, attrs }) => {
    if (type === "em") return <em>{within}</em>;
    if (type === "strong") return <strong>{within}</strong>;
    if (type === "code") return <code>{within}</code>;
    if (type === "strike" || type === "strikethrough") return <s>{within}</s>;
    if (type === "mention") return mention(String(attrs?.factId), within, beside);
    const href = type === "link" ? safeHref(attrs?.href) : undefined;
    return href === undefined ? (
      within
    ) : (
      <a class="link" href={href} target="_blank" rel="noreferrer">
        {within}
      </a>
    );
  }, bare(node));
}

function bare({ type, text, attrs }: DocNode): ComponentChildren {
  if (type === "text") return text;
  if (type === "hard_break") return <br />;
  if (type === "image") return <span class="picture">[{String(attrs?.alt || attrs?.src)}]</span>;
  if (type === "footnote_ref")
    return (
      <sup>
        <a href={`#fn-${attrs?.label}`}>{String(attrs?.label)}</a>
      </sup>
    );
  return <code class="raw">{String(attrs?.text ?? "")}</code>;
}

function mention(
  factId: string,
  words: ComponentChildren,
  { bookId, onMention, openFactId }: Beside,
): JSX.Element {
  return (
    <a
      class={openFactId === factId ? "mention open" : "mention"}
      href={`/b/${bookId}/map/${factId}`}
      onClick={onMention && ((event) => onMention(event, factId))}
    >
      {words}
    </a>
  );
}
