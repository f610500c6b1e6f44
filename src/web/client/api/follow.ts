import { ask, isOnline } from "./ask.ts";
import { refreshReads } from "./reads.ts";
import { session } from "./session.ts";

const EVERY_MS = 2000;
let last: string | undefined;
let timer: number | undefined;

/** Looks every two seconds, while the page is seen, whether something was written, and then asks again for what is shown. */
export function followActs(): void {
  document.addEventListener("visibilitychange", look);
  session.subscribe(look);
}

function look(): void {
  clearTimeout(timer);
  if (document.hidden || session.value === null) return;
  void lookOnce().finally(() => {
    clearTimeout(timer);
    timer = setTimeout(look, EVERY_MS);
  });
}

async function lookOnce(): Promise<void> {
  const wasOnline = isOnline.value;
  try {
    const { acts } = await ask("listActs", {
      query: last === undefined ? { limit: 1 } : { after: last, limit: 1 },
    });
    const newest = acts.at(-1)?.id;
    const isNew = newest !== undefined && last !== undefined;
    last = newest ?? last;
    if (isNew) await catchUp();
    if (isNew || !wasOnline) await refreshReads();
  } catch {
    // Shown by whatever is asked for next; an act that is not known any more is looked for anew.
    last = undefined;
  }
}

// Without `after` the newest act: nothing that came before it is of interest.
async function catchUp(): Promise<void> {
  const { acts } = await ask("listActs", { query: { limit: 1 } });
  last = acts.at(-1)?.id ?? last;
}
