import { ask, isOnline } from "./ask.ts";
import { refreshReads } from "./reads.ts";
import { session } from "./session.ts";

const EVERY_MS = 2000;
/** The newest act that was seen, "" in a file without any. */
let last: string | undefined;
let isLooking = false;

/** Looks every two seconds, while the page is seen, whether something was written, and then asks again for what is shown. */
export function followActs(): void {
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
  session.subscribe(look);
}

function look(): void {
  if (document.hidden || !session.value || isLooking) return;
  isLooking = true;
  void lookOnce().finally(() => {
    isLooking = false;
  });
}

// Asked for the newest act alone: all that ask so share one kept answer, and none names an act that a restore has taken away.
async function lookOnce(): Promise<void> {
  const wasOnline = isOnline.value;
  try {
    const { acts } = await ask("listActs", { query: { limit: 1 } });
    const newest = acts.at(-1)?.id ?? "";
    const isNew = last !== undefined && newest !== last;
    last = newest;
    if (isNew || !wasOnline) await refreshReads();
  } catch {} // shown by whatever is asked for next
}
