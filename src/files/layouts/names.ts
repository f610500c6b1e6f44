/** The layouts of a book in files, in the order in which they are looked for; the last takes what no other knows. */
export const LAYOUT_NAMES = [
  "manuscript",
  "novelwriter",
  "quarto",
  "mdbook",
  "longform",
  "scrivener",
  "folder",
  "file",
] as const;

/** One of them. */
export type LayoutName = (typeof LAYOUT_NAMES)[number];
