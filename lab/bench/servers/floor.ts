import http from "node:http";
import { bookId, database, holderOf, reached } from "./reached.ts";

// The floor: node:http, the key, and one statement that returns the body as bytes; no routes, no checks, no tags.
const quote = (column: string) => `json_quote(${column})`;
const time = (column: string) => quote(`strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`);
const object = (fields: Readonly<Record<string, string>>) =>
  `'{' || ${Object.entries(fields)
    .map(([name, value], at) => `'${at > 0 ? "," : ""}"${name}":' || ${value}`)
    .join(" || ")} || '}'`;
const META = {
  ...{ id: quote("c.id"), bookId: quote("c.book_id"), partId: quote("c.part_id"), title: quote("c.title") },
  ...{ position: "c.position", status: quote("c.status"), synopsis: quote("c.synopsis") },
  ...{ wordCount: "c.word_count", blockCount: "c.block_count", revision: "c.revision" },
  ...{ createdAt: time("c.created_at"), updatedAt: time("c.updated_at") },
};
const { id, partId, position, title, status, wordCount, synopsis, revision, updatedAt } = META;
const LISTED = { id, partId, position, title, status, wordCount, synopsis, revision, updatedAt };
const inOrder = (column: string, between: string) =>
  `(SELECT group_concat(${column}, ${between}) FROM (SELECT * FROM blocks WHERE chapter_id = c.id ORDER BY rank, id))`;
const bytes = (sql: string) => database.prepare(sql).pluck();
const chapter = (prose: Readonly<Record<string, string>>) =>
  bytes(`SELECT CAST(${object({ ...META, ...prose })} AS BLOB) FROM chapters c WHERE id = ?`);

const books = bytes(`SELECT CAST('{"books":[' || group_concat(${object({
  ...{ id: quote("id"), title: quote("title"), wordCount: "words", chapterCount: "chapters" },
  ...{ createdAt: time("created_at"), updatedAt: time("updated_at") },
})}, ',') || '],"total":' || count(*) || '}' AS BLOB) FROM books JOIN (SELECT book_id, sum(word_count) AS words, count(*) AS chapters
  FROM chapters GROUP BY book_id) ON book_id = id`);
const text = chapter({ text: quote(inOrder("text", "char(10, 10)")) });
const doc = chapter({ doc: `'{"type":"doc","content":[' || ${inOrder("node", "','")} || ']}'` });
const outline =
  bytes(`SELECT CAST('{"id":' || ${quote("b.id")} || ',"title":' || ${quote("b.title")} || ',"wordCount":' ||
  (SELECT sum(word_count) FROM chapters WHERE book_id = b.id) || ',"parts":[],"chapters":[' ||
  (SELECT group_concat(${object(LISTED)}, ',') FROM (SELECT * FROM chapters WHERE book_id = b.id ORDER BY rank, id) c)
  || '],"goal":null,"progress":[' || ? || ']}' AS BLOB) FROM books b WHERE id = ?`);

// The days that are shown change once a day; what was written on them, at any time.
const progress = database.prepare(
  "SELECT date, sum(added) AS added, sum(removed) AS removed, sum(imported) AS imported FROM progress WHERE book_id = ? AND date >= ? GROUP BY date",
);
const days = Array.from({ length: 30 }, (_, at) => dayBefore(29 - at));
function readProgress(): string {
  const rows = progress.all(bookId, days[0]) as {
    date: string;
    added: number;
    removed: number;
    imported: number;
  }[];
  let json = "";
  for (const day of days) {
    const { added = 0, removed = 0, imported = 0 } = rows.find(({ date }) => date === day) ?? {};
    json += `${json === "" ? "" : ","}{"date":"${day}","added":${added},"removed":${removed},"imported":${imported},"net":${added - removed}}`;
  }
  return json;
}

const CHAPTERS = "/api/v1/chapters/";
function read(url = ""): Buffer | undefined {
  if (url === "/api/v1/books") return books.get() as Buffer;
  if (url === `/api/v1/books/${bookId}`) return outline.get(readProgress(), bookId) as Buffer;
  if (!url.startsWith(CHAPTERS)) return undefined;
  if (url.endsWith("?format=doc"))
    return doc.get(url.slice(CHAPTERS.length, -"?format=doc".length)) as Buffer;
  return text.get(url.slice(CHAPTERS.length)) as Buffer;
}

const server = http.createServer((request, response) => {
  const body = holderOf(request.headers.authorization) === undefined ? undefined : read(request.url);
  response.writeHead(body === undefined ? 404 : 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body?.length ?? 0,
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => reached(server.address()));

function dayBefore(days: number): string {
  const date = new Date();
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return new Date(Date.parse(day.join("-")) - days * 86_400_000).toISOString().slice(0, 10);
}
