/** Names of Markdown files. */
export const MARKDOWN = /\.(?:md|markdown)$/i;
/** What an import leaves beside a file whose chapter both sides changed. */
export const CONFLICT = /\.conflict\.md$/i;
/** A README is about the folder. */
export const README = /(?:^|\/)readme\.[^/]*$/i;
