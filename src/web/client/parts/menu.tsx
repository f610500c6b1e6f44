import { Ellipsis, type IconNode } from "lucide";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./button.tsx";

/** A list of acts behind three points, another icon or a word, above everything: nothing that clips its place clips it. */
export function Menu({
  label,
  icon = Ellipsis,
  children,
}: {
  label: string;
  icon?: IconNode | string;
  children: (close: () => void) => ComponentChildren;
}): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { current } = list;
    if (!isOpen || current === null) return;
    // Placed again when it grows, as one does whose acts are loaded when it is opened.
    const sized = new ResizeObserver(() => {
      if (button.current === null) return;
      const { right, bottom, top } = button.current.getBoundingClientRect();
      const { offsetWidth, offsetHeight, style } = current;
      style.left = `${Math.max(8, right - offsetWidth)}px`;
      style.top = `${bottom + offsetHeight > innerHeight ? Math.max(8, top - offsetHeight) : bottom}px`;
    });
    sized.observe(current);
    return () => sized.disconnect();
  }, [isOpen]);
  return (
    <span class="menu">
      <button type="button" class="menu-button" aria-label={label} popovertarget={id} ref={button}>
        {typeof icon === "string" ? icon : <Icon of={icon} />}
      </button>
      <div
        id={id}
        class="menu-list"
        popover="auto"
        ref={list}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen && children(() => list.current?.hidePopover())}
      </div>
    </span>
  );
}
