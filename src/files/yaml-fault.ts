import type { Document } from "yaml";

/** The first fault of YAML that did not parse, and its line; `before` lines of the file stand above the text. */
export function yamlFault({ errors }: Document, before = 0): string | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const line = (error.linePos?.[0].line ?? 1) + before;
  return `${error.message.replace(/ at line [\s\S]*$/, "")} in line ${line}`; // the package shows the text as well
}
