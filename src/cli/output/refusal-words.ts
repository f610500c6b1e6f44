/** The command that lists what an endpoint lists. */
const LISTED_BY: Readonly<Record<string, string>> = {
  "GET /books": "books",
  "GET /books/{bookId}": "outline BOOK",
  "GET /chapters/{chapterId}?format=doc": "show CHAPTER --format doc",
  "GET /chapters/{chapterId}/revisions": "history CHAPTER",
  "GET /books/{bookId}/facts": "facts list",
  "GET /books/{bookId}/snippets": "notes list",
  "GET /acts": "history",
};

/** A refusal's message for who works at the command line: commands instead of endpoints, notes instead of snippets. */
export function inCommands(message: string): string {
  return message
    .replace(/^No such snippet\b/, "No such note")
    .replace(/(GET \S+) lists them all/, (said, endpoint: string) => {
      const command = LISTED_BY[endpoint];
      return command === undefined ? said : `"manuscript ${command}" lists them all`;
    });
}
