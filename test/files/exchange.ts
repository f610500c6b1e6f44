import { exportFolder } from "../../src/files/export.ts";
import { type ImportOptions, importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { syncFolder } from "../../src/files/sync.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";

/** A folder and a book that go back and forth. */
export function exchange(open: Manuscript, bookId: string, path: string) {
  return {
    export: () => exportFolder(open, bookId, path, { plain: false, force: false }),
    import: async (options: Omit<ImportOptions, "bookId"> = {}) =>
      importFiles(open, await readBookFiles(path), { bookId, ...options }),
    sync: async (options: Omit<ImportOptions, "bookId"> = {}) =>
      syncFolder(open, await readBookFiles(path), { bookId, ...options }),
  };
}
