import { signal } from "@preact/signals";

/** Whether the field to go anywhere is open. */
export const isGoToOpen = signal(false);

/** Opens the field to go anywhere. */
export function openGoTo(): void {
  isGoToOpen.value = true;
}
