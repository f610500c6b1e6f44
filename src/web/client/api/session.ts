import { signal } from "@preact/signals";

const KEY = "manuscript.session";

/** The bearer of this browser's session; "" once the server has ended it, null while it is signed out. Every tab has the same. */
export const session = signal<string | null>(localStorage.getItem(KEY));

/** Keeps a session, or that it was ended; with null forgets it. */
export function keepSession(bearer: string | null): void {
  if (bearer === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, bearer);
  session.value = bearer;
}

addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY || key === null) session.value = newValue;
});
