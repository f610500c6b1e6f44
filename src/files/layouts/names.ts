/** The layouts of a book in files, in the order in which they are looked for; the last takes what no other knows. */
export const LAYOUT_NAMES = [
  "manuscript",
  "novelwriter",
  "quarto",
  "mdbook",
  "longform",
  "scrivener",
  "document",
  "folder",
  "file",
] as const;

/** One of them. */
export type LayoutName = (typeof LAYOUT_NAMES)[number];

/** Names of Markdown files. */
export const MARKDOWN = /\.(?:md|markdown)$/i;
/** What an import leaves beside a file whose chapter both sides changed. */
export const CONFLICT = /\.conflict(?:\.\d+)?\.md$/i;
/**
 * What Dropbox, Nextcloud, Syncthing, Resilio or a merge tool of git leave beside a file that was changed in two places.
 */
export const SYNC_CONFLICT =
  /\([^()]*conflicted copy[^()]*\)\.[^./]+$|\.sync-conflict-\d{8}-\d{6}[^/]*$|_conflict-\d{8}-\d{6}[^/]*$|\.Conflict\.[^./]+$|_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.[^./]+$/;
/** A README is about the folder. */
export const README = /(?:^|\/)readme\.[^/]*$/i;
