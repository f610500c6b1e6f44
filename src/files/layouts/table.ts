import { readAnnotationFiles } from "../annotations/annotation-files.ts";
import { ANNOTATIONS } from "../annotations/render-annotations.ts";
import { BOOK_JSON, BOOK_YAML } from "../folder/manifest-files.ts";
import { readPlainFolder } from "./folder.ts";
import type { Layout } from "./layout.ts";
import { holds } from "./listed.ts";
import { LONGFORM } from "./longform.ts";
import { readBook } from "./manuscript.ts";
import { MDBOOK } from "./mdbook/mdbook.ts";
import type { LayoutName } from "./names.ts";
import { NOVELWRITER } from "./novelwriter/novelwriter.ts";
import { FILE } from "./one-file/file.ts";
import { QUARTO } from "./quarto.ts";
import { SCRIVENER } from "./scrivener/scrivener.ts";

const LISTS = [BOOK_YAML, BOOK_JSON];

/** The folder that an export makes, with its description of the book. */
const MANUSCRIPT: Layout = {
  name: "manuscript",
  called: "an exported folder",
  lacks: `there is no ${BOOK_YAML} in it, nor ${BOOK_JSON}`,
  detect: ({ folder, isFolder }) => (isFolder ? LISTS.find((list) => holds(folder, list)) : undefined),
  read: async ({ path }) => ({ ...(await readBook(path)), used: [...LISTS, ...ANNOTATIONS] }),
};

/** Any folder of Markdown files. */
const FOLDER: Layout = {
  name: "folder",
  called: "a folder of Markdown files",
  lacks: "it is a file",
  detect: ({ isFolder }) => (isFolder ? "a folder" : undefined),
  read: async ({ path }) => ({
    ...readPlainFolder(path),
    annotations: readAnnotationFiles(path),
    used: ANNOTATIONS,
  }),
};

/** Every layout by its name; `LAYOUT_NAMES` has the order of detection. */
export const LAYOUTS: Readonly<Record<LayoutName, Layout>> = {
  manuscript: MANUSCRIPT,
  novelwriter: NOVELWRITER,
  quarto: QUARTO,
  mdbook: MDBOOK,
  longform: LONGFORM,
  scrivener: SCRIVENER,
  folder: FOLDER,
  file: FILE,
};
