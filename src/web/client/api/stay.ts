import { SESSION_KEY } from "./session-key.ts";

const AGAIN_MS = 1000;

// Keeps one request under way as long as any window is open, seen or not, by which an app's server knows not to leave.
// Whichever window has the lock keeps it for all: a browser lets few requests to one server go on at a time.
void navigator.locks.request("manuscript.stay", async () => {
  for (;;) {
    await follow().catch(() => {}); // the server is away: shown by whatever is asked for next
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
});

/** Reads the stream of acts, and heeds none, until it ends. */
async function follow(): Promise<void> {
  const bearer = localStorage.getItem(SESSION_KEY);
  if (!bearer) return;
  const headers = { Authorization: `Bearer ${bearer}` };
  const { body } = await fetch("/api/v1/acts/stream", { headers, cache: "no-store" });
  await body?.pipeTo(new WritableStream());
}
