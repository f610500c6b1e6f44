import { createKey } from "../../../src/service/account/keys.ts";
import type { PageLab } from "./page-lab.ts";

/** A book of two chapters with three proposals, one of them stale; what was proposed is by a key that may only propose. */
export interface Proposed {
  bookId: string;
  one: string;
  two: string;
  /** Proposes what becomes of paragraphs; `at` counts from 0. */
  propose(chapterId: string, reason: string, edits: readonly ProposedEdit[]): Promise<string>;
  /** The chapter's Markdown, without its last line end. */
  markdown(chapterId: string): Promise<string>;
}

interface ProposedEdit {
  op: "replace" | "insert_after" | "delete";
  at: number;
  markdown?: string;
}

const ONE = `Edith came to the pier at seven.

The ferry was late, and nobody knew why.

She waited in the rain.

Nobody came.
`;
const TWO = "The lamp was out.\n\nHe lit it again.\n";

/** Makes it. */
export async function makeProposed(lab: PageLab): Promise<Proposed> {
  const { script } = lab;
  const bookId = (await script("POST", "/books", { title: "A Trial" })).body.id;
  const add = async (title: string, markdown: string): Promise<string> =>
    (await script("POST", `/books/${bookId}/chapters`, { title, markdown })).body.id;
  const [one, two] = [await add("One", ONE), await add("Two", TWO)];
  const paragraphs = async (chapterId: string) => {
    const { revision, doc } = (await script("GET", `/chapters/${chapterId}?format=doc`)).body;
    const ids: string[] = doc.content.map(({ attrs }: { attrs: { blockId: string } }) => attrs.blockId);
    return { revision, ids };
  };
  const { key } = createKey(lab.own, { name: "First Reader", allow: ["read", "propose"] });
  const propose: Proposed["propose"] = async (chapterId, reason, edits) => {
    const { revision, ids } = await paragraphs(chapterId);
    const sent = edits.map(({ at, ...edit }) => ({ ...edit, blockId: ids[at] }));
    const answer = await fetch(`${lab.url}/api/v1/chapters/${chapterId}/proposals`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ revision, reason, edits: sent }),
    });
    const body = (await answer.json()) as { id: string };
    if (answer.status !== 201) throw new Error(`not proposed: ${JSON.stringify(body)}`);
    return body.id;
  };
  const { ids } = await paragraphs(one);
  await script("POST", `/books/${bookId}/facts`, { name: "Edith", kind: "character" });
  await script("POST", `/books/${bookId}/mentions/reanchor`, {});
  await script("POST", `/books/${bookId}/snippets`, { kind: "note", blockId: ids[2], text: "Rain?" });
  await propose(one, "Shorter, and with less weather.", [
    { op: "replace", at: 0, markdown: "She came to the pier at seven." },
    { op: "replace", at: 1, markdown: "The ferry was late." },
    { op: "delete", at: 2 },
    { op: "insert_after", at: 3, markdown: "Then the bell rang." },
  ]);
  await propose(one, "Louder.", [{ op: "replace", at: 3, markdown: "No one came at all." }]);
  await propose(two, "", [{ op: "replace", at: 1, markdown: "He lit it once more." }]);
  await script("PATCH", `/chapters/${one}/paragraphs/${ids[3]}`, { markdown: "Somebody came." });
  const markdown = async (chapterId: string) =>
    (await script("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown.replace(/\n$/, "");
  return { bookId, one, two, propose, markdown };
}
