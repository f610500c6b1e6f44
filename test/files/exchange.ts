import { realpathSync } from "node:fs";
import { holdBeside, noteBesideFiles } from "../../src/files/beside.ts";
import { exportFolder } from "../../src/files/export.ts";
import { type ImportOptions, importFiles } from "../../src/files/import.ts";
import { readBook } from "../../src/files/read-book.ts";
import { syncFolder } from "../../src/files/sync.ts";
import { noteExports } from "../../src/service/exchanges.ts";
import { readExport } from "../../src/service/export-book.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";

/** A folder and a book that go back and forth, as the commands do it. */
export function exchange(open: Manuscript, bookId: string, path: string) {
  return {
    export: async () => {
      const book = readExport(open, bookId);
      const held = await holdBeside(open, path, bookId);
      let beside: Parameters<typeof noteBesideFiles>[2] = [];
      const files = await exportFolder(book, path, {
        plain: false,
        force: false,
        held,
        wrote: (written) => {
          beside = written;
        },
      });
      const folder = realpathSync(path);
      noteExports(
        open,
        folder,
        book,
        files.map(({ hash }) => hash),
      );
      await noteBesideFiles(open, { folder, bookId }, beside);
    },
    import: (options: Omit<ImportOptions, "bookId"> = {}) =>
      importFiles(open, readBook(path, { mayLack: true }), { bookId, ...options }),
    sync: (options: Omit<ImportOptions, "bookId"> = {}) =>
      syncFolder(open, readBook(path, { mayLack: true }), { bookId, ...options }),
  };
}
