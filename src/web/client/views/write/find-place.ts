/** The address where a text is replaced in the whole book. */
export function findPlace(bookId: string, query: string): string {
  const asked = query === "" ? "" : `?${new URLSearchParams({ find: query })}`;
  return `/b/${bookId}/replace${asked}`;
}
