import type { Draft, Drafts } from "./wire.ts";

/** A row beside the draft: the base is long, and changes only when something is saved. */
type DraftRow = Omit<Draft, "base">;

const LOCK = "manuscript.draft.";

/** The drafts of this browser; where it keeps none (a private window of some), nothing is kept and nothing breaks. */
export function browserDrafts(): Drafts {
  const opened = open();
  const bases = new Map<string, string>();
  opened.catch(() => undefined); // told when something is to be kept
  return {
    async keep({ base, ...row }, instead = []) {
      await within(await opened, "readwrite", (drafts, basesOf) => {
        if (bases.get(row.id) !== base) basesOf.put({ id: row.id, base });
        drafts.put(row);
        for (const id of instead) {
          drafts.delete(id);
          basesOf.delete(id);
        }
      });
      bases.set(row.id, base);
    },
    async drop(id) {
      bases.delete(id);
      await within(await opened, "readwrite", (drafts, basesOf) => {
        drafts.delete(id);
        basesOf.delete(id);
      });
    },
    async left(chapterId) {
      const living = await livingTabs();
      const database = await opened;
      const [rows, kept] = await within(database, "readonly", (drafts, basesOf) => [
        drafts.index("chapterId").getAll(chapterId) as IDBRequest<DraftRow[]>,
        basesOf.getAll() as IDBRequest<{ id: string; base: string }[]>,
      ]);
      const byId = new Map(kept?.result.map(({ id, base }) => [id, base]));
      return (rows?.result ?? []).flatMap((row) => {
        const base = byId.get(row.id);
        return base === undefined || living.has(row.id) ? [] : [{ ...row, base }];
      });
    },
  };
}

/** Lets other tabs know that this one lives, until the promise's end; a browser that is killed ends it too. */
export function liveAs(id: string): () => void {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  void navigator.locks?.request(LOCK + id, () => ended);
  return end;
}

// Over plain HTTP there are no locks: there a draft of a second tab is taken in as if that were gone, which doubles nothing.
async function livingTabs(): Promise<Set<string>> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(held.map(({ name = "" }) => name.slice(LOCK.length)));
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("manuscript", 1);
    request.onupgradeneeded = () => {
      const drafts = request.result.createObjectStore("drafts", { keyPath: "id" });
      drafts.createIndex("chapterId", "chapterId");
      request.result.createObjectStore("bases", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function within<Result>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  run: (drafts: IDBObjectStore, bases: IDBObjectStore) => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const work = database.transaction(["drafts", "bases"], mode);
    const result = run(work.objectStore("drafts"), work.objectStore("bases"));
    work.commit(); // else it ends with a page that goes before it has answered
    work.oncomplete = () => resolve(result);
    work.onerror = () => reject(work.error);
    work.onabort = () => reject(work.error);
  });
}
