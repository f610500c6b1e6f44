/** The process that serves a manuscript, 0 if it is not known which; undefined if none does. */
export async function serverOf(path: string): Promise<number | undefined> {
  return (await import("../../store/file/open.ts")).servedBy(path);
}
