import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { useKeys } from "../../parts/keys.ts";
import { Menu } from "../../parts/menu.tsx";

/** Which chapter is split, and where a new note is begun. */
export interface ParagraphActs {
  chapter: { id: string; title: string; revision: number };
  onNote: (blockId: string) => void;
  /** The paragraph that keys mean. */
  current(): string | null;
}

interface MenuProps {
  article: RefObject<HTMLElement | null>;
  acts: ParagraphActs;
}

/** The menu of the paragraph that is pointed at or has the focus, behind a button beside it. */
export function ParagraphMenu({
  article,
  acts: { chapter, onNote, current },
}: MenuProps): JSX.Element | null {
  const [blockId, setBlockId] = useState<string>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: text } = article;
    if (text === null) return;
    const follow = ({ target }: Event) => {
      const block = target instanceof Element ? target.closest<HTMLElement>("[data-block]") : null;
      if (block === null || place.current === null || place.current.querySelector(":popover-open")) return;
      setBlockId(block.dataset.block);
      place.current.style.top = `${block.getBoundingClientRect().top - text.getBoundingClientRect().top}px`;
    };
    text.addEventListener("pointerover", follow);
    text.addEventListener("focusin", follow);
    return () => {
      text.removeEventListener("pointerover", follow);
      text.removeEventListener("focusin", follow);
    };
  }, [article]);
  useKeys(
    [
      {
        keys: "S",
        does: "Split the chapter before this paragraph",
        run: () => void split(chapter, current()),
      },
    ],
    [chapter.id, chapter.revision],
  );
  return (
    <div class="paragraph-menu" ref={place} hidden={blockId === undefined}>
      <Menu label="More for this paragraph">
        {(close) => {
          const act = (run: (id: string) => void) => () => {
            close();
            if (blockId !== undefined) run(blockId);
          };
          return (
            <>
              <button type="button" onClick={act(onNote)}>
                A note beside it <kbd>n</kbd>
              </button>
              <button type="button" onClick={act((id) => void split(chapter, id))}>
                Split the chapter here <kbd>S</kbd>
              </button>
            </>
          );
        }}
      </Menu>
    </div>
  );
}

async function split({ id, revision }: ParagraphActs["chapter"], blockId: string | null): Promise<void> {
  if (blockId === null) return;
  await write(
    "splitChapter",
    { params: { chapterId: id }, body: { blockId, ifRevision: revision } },
    ({ chapter }) => `The chapter is split. What follows is chapter ${chapter.position}, “${chapter.title}”.`,
  );
}
