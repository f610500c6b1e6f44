/** Layouts in the order of detection. The last one takes everything else. */
export const LAYOUT_NAMES = [
  "manuscript",
  "novelwriter",
  "longform",
  "scrivener",
  "document",
  "reading-order",
  "folder",
  "file",
] as const;

/** One of them. */
export type LayoutName = (typeof LAYOUT_NAMES)[number];

/** Names of Markdown files. */
export const MARKDOWN = /\.(?:md|markdown)$/i;
/** Files that an import leaves next to a chapter's file after a conflict. */
export const CONFLICT = /\.conflict(?:\.\d+)?\.md$/i;
/** Files that Dropbox, Nextcloud, Syncthing, Resilio or git's merge tools leave after a conflict. */
export const SYNC_CONFLICT =
  /\([^()]*conflicted copy[^()]*\)\.[^./]+$|\.sync-conflict-\d{8}-\d{6}[^/]*$|_conflict-\d{8}-\d{6}[^/]*$|\.Conflict\.[^./]+$|_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.[^./]+$/;
/** A README is about the folder, and no chapter. */
export const README = /(?:^|\/)readme\.[^/]*$/i;
