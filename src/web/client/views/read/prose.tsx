import { type ComponentChildren, createContext, Fragment, h, type JSX } from "preact";
import { useContext } from "preact/hooks";
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

const BesideText = createContext<Beside>({ bookId: "" });

/** The blocks of a chapter as a book page sets them. */
export function Prose({ blocks, beside }: { blocks: readonly DocNode[]; beside: Beside }): JSX.Element {
  const first = blocks.findIndex(({ type }) => type === "paragraph");
  return (
    <BesideText.Provider value={beside}>
      {blocks.map((node, index) => {
        const before = blocks[index - 1]?.type;
        const isOpen = node.type === "paragraph" && before !== "paragraph";
        const kind = index === first && before !== "blockquote" ? "open versal" : isOpen ? "open" : "";
        return <Block key={blockIdOf(node) ?? index} node={node} kind={kind} />;
      })}
    </BesideText.Provider>
  );
}

function Block({ node, kind = "" }: { node: DocNode; kind?: string }): JSX.Element {
  const { notesOf } = useContext(BesideText);
  const id = blockIdOf(node);
  const notes = id === undefined ? undefined : notesOf?.(id);
  const shown = shownBlock(node, kind);
  if (notes === undefined) return shown;
  return (
    <div class="noted">
      {shown}
      {notes}
    </div>
  );
}

const HEADINGS = ["h2", "h2", "h3", "h4", "h5", "h6"] as const;

function shownBlock(node: DocNode, kind: string): JSX.Element {
  const id = blockIdOf(node);
  const at = id === undefined ? {} : { id, tabIndex: -1, "data-block": id };
  switch (node.type) {
    case "paragraph":
      return (
        <p class={`b ${kind}`} {...at}>
          <Inline nodes={node.content} />
        </p>
      );
    case "heading":
      return h(
        HEADINGS[Number(node.attrs?.level ?? 2) - 1] ?? "h6",
        { class: "b", ...at },
        <Inline nodes={node.content} />,
      );
    case "scene_break":
      return <hr {...at} />;
    case "blockquote":
      return <blockquote>{inner(node)}</blockquote>;
    case "bullet_list":
      return <ul class="list">{inner(node)}</ul>;
    case "ordered_list":
      return (
        <ol class="list" start={Number(node.attrs?.order ?? 1)}>
          {inner(node)}
        </ol>
      );
    case "list_item":
      return <li>{inner(node)}</li>;
    case "footnote":
      return (
        <div class="footnote" id={`fn-${node.attrs?.label}`}>
          <sup>{String(node.attrs?.label)}</sup>
          {inner(node)}
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

function inner({ content }: DocNode): JSX.Element[] {
  return (content ?? []).map((node, index) => <Block key={blockIdOf(node) ?? index} node={node} />);
}

function Inline({ nodes }: { nodes: readonly DocNode[] | undefined }): JSX.Element {
  return (
    <>
      {nodes?.map((node, index) => (
        <Fragment key={index}>{marked(node)}</Fragment>
      ))}
    </>
  );
}

function marked(node: DocNode): ComponentChildren {
  return (node.marks ?? []).reduceRight<ComponentChildren>((within, { type, attrs }) => {
    if (type === "em") return <em>{within}</em>;
    if (type === "strong") return <strong>{within}</strong>;
    if (type === "code") return <code>{within}</code>;
    if (type === "strike" || type === "strikethrough") return <s>{within}</s>;
    if (type === "mention") return <Mention factId={String(attrs?.factId)}>{within}</Mention>;
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

function Mention({ factId, children }: { factId: string; children: ComponentChildren }): JSX.Element {
  const { bookId, onMention, openFactId } = useContext(BesideText);
  return (
    <a
      class={openFactId === factId ? "mention open" : "mention"}
      href={`/b/${bookId}/map/${factId}`}
      onClick={onMention && ((event) => onMention(event, factId))}
    >
      {children}
    </a>
  );
}
