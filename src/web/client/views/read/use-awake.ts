import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { takeTyped, typeAhead } from "../../parts/ahead.ts";
import { useKeys } from "../../parts/keys.ts";
import { go, path, query } from "../../router.ts";
import type { Entry } from "../write/in-book.tsx";

/** Below the bar, in pixels. */
const TOP = 96;

/** The chapters of a text that are open for writing: each from when the cursor first enters it. */
export interface AwakeChapters {
  isWriting: boolean;
  /** The open chapters by id, each with the place that the cursor still has to go to. */
  entries: ReadonlyMap<string, Entry | undefined>;
  /** The chapter that the cursor is in. */
  hereId: string;
  enter(chapterId: string, entry?: Entry): void;
  /** Begins to write at the top of what is seen, or ends it. */
  turn(): void;
  /** Puts the cursor where a text was clicked. */
  onClick(event: MouseEvent): void;
}

const NONE: ReadonlyMap<string, undefined> = new Map();

/** Turns chapters within this article into texts to write in, while the address ends in `?write`. */
export function useAwake(article: RefObject<HTMLElement | null>): AwakeChapters {
  const [state, setState] = useState<Pick<AwakeChapters, "entries" | "hereId">>({
    entries: NONE,
    hereId: "",
  });
  const isWriting = query.value.has("write");
  const enter = (hereId: string, entry?: Entry) => {
    if (entry !== undefined) typeAhead();
    setState(({ entries }) => ({ entries: new Map(entries).set(hereId, entry), hereId }));
  };
  const enterBlock = (block: HTMLElement, offset: number) => {
    const chapterId = block.closest<HTMLElement>("[data-chapter]")?.dataset.chapter;
    const { block: blockId = "" } = block.dataset;
    if (chapterId !== undefined)
      enter(chapterId, { blockId, offset, top: block.getBoundingClientRect().top });
  };
  const turn = () => go(isWriting ? path.peek() : `${path.peek()}?write`, { isReplaced: true });
  useEffect(() => {
    if (!isWriting) return setState({ entries: NONE, hereId: "" });
    const blocks = article.current?.querySelectorAll<HTMLElement>("[data-block]") ?? [];
    const first = [...blocks].find((block) => block.getBoundingClientRect().top >= TOP);
    if (first !== undefined) enterBlock(first, 0);
    else takeTyped();
  }, [isWriting]);
  useKeys(isWriting ? [] : [{ keys: "e", does: "Write in the whole book", run: turn }], [isWriting]);
  const onClick = (event: MouseEvent) => {
    const block = (event.target as HTMLElement).closest<HTMLElement>("[data-block]:not(.text *)");
    const clicked = getSelection();
    if (!isWriting || block === null || clicked?.isCollapsed === false) return;
    event.preventDefault(); // a mention in it leads nowhere
    enterBlock(block, offsetIn(block, clicked));
  };
  return { ...state, isWriting, enter, turn, onClick };
}

/** The characters of a block that stand before the cursor, which a click sets in any text. */
function offsetIn(block: HTMLElement, cursor: Selection | null): number {
  if (cursor === null || !block.contains(cursor.focusNode)) return 0;
  const before = cursor.getRangeAt(0).cloneRange();
  before.setStart(block, 0);
  return before.toString().length;
}
