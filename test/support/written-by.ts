import type { openManuscript, startServer } from "../../src/index.ts";

/** What a writer sees of a manuscript, each thing by its kind and id; what moves with the clock is left out. */
export type View = Record<string, unknown>;

/** What a release gave for a manuscript of its own: it is kept beside the file, and every later one must give the same. */
export interface Recorded {
  key: string;
  /** All of it, as it was opened. */
  view: View;
  /** Revisions of every chapter, each with its Markdown. */
  revisions: Record<string, { revision: number; source: string; wordCount: number; markdown: string }[]>;
  acts: object[];
  /** Every act undone, the newest first: how that was answered, and what of the view it changed; null for what went. */
  undone: { act: string; status: number; changed: View }[];
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by the names that the contract gives
type Body = any;
type Get = (path: string) => Promise<Body>;

/** A program that has the library's entry, whichever version it is of. */
export interface Program {
  openManuscript: typeof openManuscript;
  startServer: typeof startServer;
}

/** Reads and undoes a manuscript of a release through its own API, by a key that is in it. The file is changed. */
export async function recordOf(program: Program, path: string, key: string): Promise<Recorded> {
  const manuscript = program.openManuscript(path);
  const server = await program.startServer({ host: "127.0.0.1", port: 0, manuscripts: [manuscript] });
  const ask = async (method: string, to: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}/api/v1${to}`, { method, headers });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const get: Get = async (to) => {
    const { status, body } = await ask("GET", to);
    if (status !== 200) throw new Error(`GET ${to}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  try {
    const view = await viewOf(get);
    const revisions = await revisionsOf(get, view);
    const acts: Body[] = (await get("/acts?limit=500")).acts;
    const undone: Recorded["undone"] = [];
    let last = view;
    for (const { id } of acts.filter(({ undoes, undoneBy }) => !undoes && !undoneBy).reverse()) {
      const { status } = await ask("POST", `/acts/${id}/undo`);
      const next = await viewOf(get);
      undone.push({ act: id, status, changed: difference(last, next) });
      last = next;
    }
    return { key, view, revisions, acts, undone };
  } finally {
    await server.close();
    manuscript.close();
  }
}

/** Everything that a writer sees: books, chapters with their prose, facts with their mentions, notes. */
export async function viewOf(get: Get): Promise<View> {
  const view: View = {};
  for (const { id } of (await get("/books")).books) {
    const { title, goal, parts, chapters } = await get(`/books/${id}`);
    view[`book ${id}`] = {
      title,
      goal: goal === null ? null : pick(goal, ["targetWords", "deadline", "dailyWords"]),
      parts: parts.map((part: Body) => pick(part, ["id", "title", "chapterIds"])),
      chapters: chapters.map((chapter: Body) =>
        pick(chapter, ["id", "partId", "title", "status", "synopsis", "wordCount"]),
      ),
    };
    for (const { id: chapterId } of chapters) {
      const { markdown } = await get(`/chapters/${chapterId}?format=markdown`);
      const { doc } = await get(`/chapters/${chapterId}?format=doc`);
      view[`chapter ${chapterId}`] = { markdown, doc };
    }
    for (const { id: factId } of (await get(`/books/${id}/facts`)).facts) {
      const { fact, mentions } = await get(`/facts/${factId}`);
      view[`fact ${factId}`] = {
        ...pick(fact, ["name", "kind", "aliases", "attributes", "summary"]),
        mentions: mentions.map((mention: Body) =>
          pick(mention, ["chapterId", "blockId", "from", "to", "text"]),
        ),
      };
    }
    for (const note of (await get(`/books/${id}/snippets`)).snippets)
      view[`note ${note.id}`] = pick(note, [
        "chapterId",
        "blockId",
        "kind",
        "text",
        "url",
        "items",
        "detached",
      ]);
  }
  return view;
}

async function revisionsOf(get: Get, view: View): Promise<Recorded["revisions"]> {
  const all: Recorded["revisions"] = {};
  for (const name of Object.keys(view).filter((name) => name.startsWith("chapter "))) {
    const path = `/chapters/${name.slice("chapter ".length)}`;
    const { revisions } = await get(`${path}/revisions`);
    all[name] = await Promise.all(
      revisions.map(async ({ revision, source, wordCount }: Body) => {
        const { markdown } = await get(`${path}?format=markdown&revision=${revision}`);
        return { revision, source, wordCount, markdown };
      }),
    );
  }
  return all;
}

function difference(before: View, after: View): View {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const differs = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(differs.map((name) => [name, after[name] ?? null]));
}

function pick(from: Body, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
