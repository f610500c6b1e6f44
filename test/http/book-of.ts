import type { serve } from "../support/client.ts";

interface Node {
  attrs?: { blockId?: string };
  content?: Node[];
  text?: string;
}

const leaves = (node: Node): [string, string][] => {
  const id = node.attrs?.blockId;
  if (id === undefined) return (node.content ?? []).flatMap(leaves);
  return [[(node.content ?? []).map(({ text }) => text ?? "").join(""), id]];
};

/** Makes a book of chapters, by title; its prose, ids and notes as they are, and ways to write it. */
export const bookOf =
  (lab: Awaited<ReturnType<typeof serve>>) =>
  async (...chapters: [title: string, markdown: string][]) => {
    const { id } = (await lab.ask("POST", "/books", { body: { title: "Parts" } })).body;
    for (const name of ["Mara", "Tobit"]) await lab.ask("POST", `/books/${id}/facts`, { body: { name } });
    const ids: string[] = [];
    for (const [title, markdown] of chapters)
      ids.push((await lab.ask("POST", `/books/${id}/chapters`, { body: { title, markdown } })).body.id);
    await lab.ask("POST", `/books/${id}/mentions/reanchor`);
    const outline = async () => (await lab.ask("GET", `/books/${id}`)).body;
    const read = async () => {
      const all = (await outline()).chapters as { id: string; title: string }[];
      return Promise.all(
        all.map(async (one) => [
          one.title,
          (await lab.ask("GET", `/chapters/${one.id}?format=markdown`)).body.markdown,
        ]),
      );
    };
    const idsIn = async (chapter: string) =>
      new Map(leaves((await lab.ask("GET", `/chapters/${chapter}?format=doc`)).body.doc));
    const note = async (blockId: string) =>
      (await lab.ask("POST", `/books/${id}/snippets`, { body: { kind: "note", blockId } })).body.id;
    const snippets = async () => (await lab.ask("GET", `/books/${id}/snippets`)).body.snippets;
    const mentions = async () => {
      const { facts } = (await lab.ask("GET", `/books/${id}/facts`)).body;
      const all = await Promise.all(
        facts.map(async (fact: { id: string }) => (await lab.ask("GET", `/facts/${fact.id}`)).body.mentions),
      );
      return all.flat().map((one: Record<string, unknown>) => [one.id, one.chapterId, one.blockId, one.from]);
    };
    const split = (chapter: string, body: object, query = "") =>
      lab.ask("POST", `/chapters/${chapter}/split${query}`, { body });
    const join = (chapter: string, body: object = {}, query = "") =>
      lab.ask("POST", `/chapters/${chapter}/join${query}`, { body });
    const move = (chapter: string, body: object, query = "") =>
      lab.ask("POST", `/chapters/${chapter}/move${query}`, { body });
    return { id, ids, outline, read, idsIn, note, snippets, mentions, split, join, move };
  };
