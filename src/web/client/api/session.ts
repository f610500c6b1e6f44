import { signal } from "@preact/signals";
import { SESSION_KEY } from "./session-key.ts";

/** The bearer of this browser's session; "" once the server has ended it, null while it is signed out. Every tab has the same. */
export const session = signal<string | null>(localStorage.getItem(SESSION_KEY));

/** Keeps a session, or that it was ended; with null forgets it. */
export function keepSession(bearer: string | null): void {
  if (bearer === null) localStorage.removeItem(SESSION_KEY);
  else localStorage.setItem(SESSION_KEY, bearer);
  session.value = bearer;
}

addEventListener("storage", ({ key, newValue }) => {
  if (key === SESSION_KEY || key === null) session.value = newValue;
});
