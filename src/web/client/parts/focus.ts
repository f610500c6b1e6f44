/** Given as `ref` it brings the focus to an element that has just been shown. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
