/** Where the API lives on its server. Source: llms.txt, Versions and stability. */
export const BASE_PATH = "/api/v1";

/** A row's path as Express writes it: `/books/{bookId}` is `/api/v1/books/:bookId`. */
export function routeOf(path: string): string {
  return BASE_PATH + path.replace(/\{(\w+)\}/g, ":$1");
}
