import { type ComponentChildren, h, type JSX } from "preact";
import { useMemo } from "preact/hooks";
import { partsScenes } from "../../../../prose/document/text.ts";
import { useSlices } from "../../parts/use-slices.ts";
import { blockIdOf, type DocNode, safeHref, textOf } from "./nodes.ts";
import { Picture } from "./picture.tsx";

/** A view's additions to the plain text: notes beside paragraphs, and what a mention does. */
export interface Beside {
  bookId: string;
  /** The chapter, by whose file the paths of its pictures go. */
  chapterId: string;
  /** The notes beside a paragraph; undefined for most. */
  notesOf?(blockId: string): ComponentChildren | undefined;
  onMention?(event: MouseEvent, factId: string): void;
  /** Names of the facts that are mentioned, by id. */
  openFactId?: string | undefined;
}

/** A line of prose is so high, and holds at most so many characters: no window shows more than is set at first. */
const LINE_PX = 28;
const LINE_CHARACTERS = 90;
/** The height of a paragraph that is not there yet, or not laid out yet. */
const COMING_REM = 4;
const SLICE = 100;

interface ProseProps {
  blocks: readonly DocNode[];
  beside: Beside;
  isAtOnce?: boolean;
}

/**
 * The blocks of a chapter as a book page sets them: at first what a window holds, the others in slices; with `isAtOnce`, and
 * for an address that names a paragraph, all. One component for all: one a paragraph and mention costs twice as much.
 */
export function Prose({ blocks, beside, isAtOnce = location.hash !== "" }: ProseProps): JSX.Element {
  const atFirst = useMemo(() => windowful(blocks), []);
  const slices = useSlices(blocks.length, atFirst, SLICE);
  const shown = isAtOnce ? blocks.length : slices;
  // A paragraph that stays as it is costs the next slice nothing.
  const made = useMemo<JSX.Element[]>(() => [], [blocks, beside]);
  const first = blocks.findIndex(({ type }) => type === "paragraph");
  for (const [index, node] of blocks.slice(0, shown).entries()) {
    if (index < made.length) continue;
    const before = blocks[index - 1]?.type;
    const isOpen = node.type === "paragraph" && before !== "paragraph";
    const kind = index === first && before !== "blockquote" ? "open versal" : isOpen ? "open" : "";
    made.push(block(node, { kind, beside, key: index }));
  }
  return (
    <>
      {made.slice(0, shown)}
      {shown < blocks.length && <div style={{ height: `${(blocks.length - shown) * COMING_REM}rem` }} />}
    </>
  );
}

function windowful(blocks: readonly DocNode[]): number {
  let heightPx = 0;
  const next = blocks.findIndex((node) => {
    heightPx += LINE_PX * Math.ceil(textOf(node).length / LINE_CHARACTERS);
    return heightPx > innerHeight;
  });
  return next === -1 ? blocks.length : next + 1;
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
      if (partsScenes(node)) return <hr {...at} />;
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
  return (node.marks ?? []).reduceRight<ComponentChildren>(
    (within, { type, attrs }) => {
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
    },
    bare(node, beside),
  );
}

function bare({ type, text, attrs }: DocNode, place: Beside): ComponentChildren {
  if (type === "text") return text;
  if (type === "hard_break") return <br />;
  if (type === "image")
    return <Picture place={place} src={String(attrs?.src)} alt={String(attrs?.alt ?? "")} />;
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
