import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Selection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { takeTyped } from "../../parts/ahead.ts";
import type { OutlineChapter } from "../desk/outline.ts";
import type { AroundText } from "./around.tsx";
import { preference } from "./preferences.ts";
import { bodyEnd } from "./text/leaves.ts";
import { select, typeIn } from "./text/open-text.ts";
import { ChapterText, isTitled } from "./write.tsx";
import type { Writer } from "./writer.ts";

/**
 * Where the cursor enters a text: at an end of it, or behind so many characters of a block, which stays so far below the
 * window's top, in pixels.
 */
export type Entry = "start" | "end" | { blockId: string; offset: number; top: number };

interface InBookProps extends Omit<AroundText, "writer" | "chapterId" | "isEntered"> {
  chapter: OutlineChapter;
  isHere: boolean;
  /** The place that the cursor still has to go to. */
  entry: Entry | undefined;
  /** Its title, where the text does not begin with it. */
  title: JSX.Element;
  /** The chapter as it is read, shown until it can be written in. */
  asleep: ComponentChildren;
  /** The cursor is here. */
  onFocus: () => void;
  /** The cursor leaves for the chapter after (1) or before (-1). */
  onLeave: (by: 1 | -1) => void;
}

/** A chapter among the others of its book, to write in. */
export function View({
  chapter,
  entry,
  title,
  asleep,
  onFocus,
  onLeave,
  ...given
}: InBookProps): JSX.Element {
  const writer = useRef<Writer | undefined>(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const view = writer.current?.view;
    if (by === 0 || view === undefined || event.shiftKey || event.defaultPrevented || !isAtEdge(view, by))
      return;
    event.preventDefault();
    onLeave(by);
  };
  return (
    <section
      class="write awake"
      aria-label={chapter.title}
      data-focus={preference("focus").value}
      onFocusCapture={() => given.isHere || onFocus()}
      onKeyDown={onKeyDown}
    >
      <ChapterText {...given} chapterId={chapter.id} isEntered>
        {(opened) => {
          writer.current = opened;
          return opened === undefined ? (
            <>
              {title}
              {asleep}
            </>
          ) : (
            <>
              {!isTitled(opened, chapter.title) && title}
              {given.isHere && <Entering view={opened.view} entry={entry} onEntered={onFocus} />}
            </>
          );
        }}
      </ChapterText>
    </section>
  );
}

interface EnteringProps {
  view: EditorView;
  entry: Entry | undefined;
  onEntered: () => void;
}

/** Puts the cursor where it is to go, once the text is shown. */
function Entering({ view, entry, onEntered }: EnteringProps): null {
  useEffect(() => {
    if (entry === undefined) return;
    enter(view, entry);
    onEntered();
  }, [entry]);
  return null;
}

function enter(view: EditorView, entry: Entry): void {
  const { doc, tr } = view.state;
  const typed = takeTyped();
  view.focus();
  if (typeof entry === "string") {
    const selection = Selection.near(
      doc.resolve(entry === "start" ? 0 : bodyEnd(doc)),
      entry === "start" ? 1 : -1,
    );
    view.dispatch(tr.setSelection(selection).scrollIntoView());
  } else enterBlock(view, entry);
  typeIn(view, typed);
}

function enterBlock(view: EditorView, { blockId, offset, top }: Exclude<Entry, string>): void {
  const block = view.dom.querySelector(`[data-block="${CSS.escape(blockId)}"]`);
  if (block === null) return;
  scrollBy({ top: block.getBoundingClientRect().top - top, behavior: "instant" });
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let left = offset;
  while (texts.nextNode() && left > lengthOf(texts.currentNode)) left -= lengthOf(texts.currentNode);
  select(view, view.posAtDOM(texts.currentNode, Math.min(left, lengthOf(texts.currentNode))));
}

function lengthOf({ textContent }: globalThis.Node): number {
  return textContent?.length ?? 0;
}

/** True if the line further up or down is another chapter's. The text hears a moment after a key where its cursor is. */
function isAtEdge(view: EditorView, by: 1 | -1): boolean {
  const { focusNode, focusOffset } = getSelection() ?? {};
  if (!focusNode) return false;
  const { doc, tr } = view.state;
  const cursor = TextSelection.near(doc.resolve(view.posAtDOM(focusNode, focusOffset ?? 0)));
  const edge = by > 0 ? Selection.atEnd(doc) : Selection.atStart(doc);
  if (edge.$head.start() !== cursor.$head.start()) return false;
  return view.endOfTextblock(by > 0 ? "down" : "up", view.state.apply(tr.setSelection(cursor)));
}
