import { signal } from "@preact/signals";
import { moveTo, type OutlineChapter } from "./outline.ts";

const dragged = signal<OutlineChapter | undefined>(undefined);
const over = signal<string | undefined>(undefined);

/** Makes a chapter's row or card draggable, and a place to drop others, which go before it. */
export function draggedOf(chapter: OutlineChapter) {
  const isOver = over.value === chapter.id && dragged.value !== undefined && dragged.value.id !== chapter.id;
  return {
    mark: dragged.value?.id === chapter.id ? "lifted" : isOver ? "slot" : "",
    on: {
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dragged.value = chapter;
        dataTransfer?.setData("text/plain", chapter.title);
      },
      onDragEnd: () => {
        dragged.value = undefined;
        over.value = undefined;
      },
      onDragOver: (event: DragEvent) => {
        if (dragged.value === undefined) return;
        event.preventDefault();
        over.value = chapter.id;
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        const from = dragged.value;
        if (from === undefined || from.id === chapter.id) return;
        const isBehind = from.position < chapter.position;
        moveTo(from, chapter.partId, isBehind ? chapter.position - 1 : chapter.position);
      },
    },
  };
}
