/** A file's name as a title: without folder, number and extension. "07-the-storm.md" is "the storm". */
export function titleOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return titleOfName(name) || "Untitled";
}

/** The same of a folder's name, which has no extension. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/^\d+(?:[\s._-]+|$)/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return words || name;
}
