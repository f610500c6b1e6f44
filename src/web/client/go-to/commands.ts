import { write } from "../api/write.ts";
import { theme } from "../parts/choices/look.ts";
import { go } from "../router.ts";
import type { Target } from "./targets.ts";

const kind = "Command";

/** Formats of an export, as the export view is asked for them. */
const FORMATS = [
  ["docx", "Export for Word"],
  ["epub", "Export as EPUB"],
  ["html", "Export as HTML"],
  ["review", "Export for beta readers"],
] as const;

const THEMES = [
  ["dark", "Dark theme"],
  ["light", "Light theme"],
  ["", "Theme of the system"],
] as const;

/** Returns what can be done from anywhere, and in a book. */
export function commandsOf(bookId: string | undefined): readonly Target[] {
  return [
    { key: "import", name: "Import", also: ["Bring in"], kind, to: "/?new" },
    ...(bookId === undefined ? [] : ofBook(bookId)),
    {
      key: "back up",
      name: "Back up now",
      also: ["Copy"],
      kind,
      run: () => void write("createBackup", {}, ({ copy }) => `Copied and verified: ${copy}`),
    },
    ...THEMES.map(([value, name]) => ({
      key: `theme ${value}`,
      name,
      kind,
      run: () => {
        theme.value = value;
      },
    })),
  ];
}

function ofBook(bookId: string): Target[] {
  const params = { bookId };
  const newChapter = async () => {
    const made = await write("createChapter", { params, body: { title: "Untitled" } }, "Added a chapter.");
    if (made !== undefined) go(`/b/${bookId}/c/${made.id}/edit`);
  };
  return [
    { key: "chapter", name: "Add a chapter", also: ["New chapter"], kind, run: () => void newChapter() },
    {
      key: "name",
      name: "Name this moment",
      also: ["Milestone", "Draft"],
      kind,
      to: `/b/${bookId}/milestones?name`,
    },
    ...FORMATS.map(([format, name]) => ({
      key: format,
      name,
      kind,
      to: `/b/${bookId}/export?format=${format}`,
    })),
    { key: "print", name: "Print", also: ["PDF"], kind, to: `/b/${bookId}/export?format=pdf` },
  ];
}
