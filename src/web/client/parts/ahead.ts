// A field that nobody sees, for what is typed before the text that it is meant for is shown: there the browser composes and
// deletes as in any field, and no letter is a shortcut.
let field: HTMLTextAreaElement | undefined;

/** Takes what is typed from now on. */
export function typeAhead(within: Element = document.body): void {
  if (!field?.isConnected)
    field = Object.assign(document.createElement("textarea"), {
      className: "hidden",
      ariaLabel: "Text",
    });
  within.append(field);
  field.focus();
}

/** Returns what was typed since, and ends it. */
export function takeTyped(): string {
  field?.remove();
  const typed = field?.value ?? "";
  field = undefined;
  return typed;
}
