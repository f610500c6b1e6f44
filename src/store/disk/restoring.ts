/** The command that goes on with a file as it is found, whichever manuscript is meant where it is run. */
export function restoring(path: string): string {
  return `manuscript restore "${path}" --file "${path}"`;
}
