import type { Document } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { asKeys, type Keys } from "../listed-book.ts";

// The package takes time that grows with the square of some texts; no list of chapters is as long.
const MOST_LENGTH = 256 * 1024;

/** What the YAML of an index says. Throws `BadRequest`, naming index and line (`before` lines stand above the text). */
export async function readYaml(text: string, index: string, before = 0): Promise<Keys> {
  if (text.length > MOST_LENGTH) {
    throw new BadRequest(`${index} has ${text.length} characters of YAML; at most ${MOST_LENGTH} are read.`);
  }
  const document = await parse(text, index);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 1) + before;
    const fault = error.message.replace(/ at line [\s\S]*$/, "");
    throw new BadRequest(`${index} is not valid YAML: ${fault} in line ${line}.`);
  }
  try {
    return asKeys(document.toJS({ maxAliasCount: 100 }));
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    throw new BadRequest(`${index} is not valid YAML: ${message}.`);
  }
}

/** A value as text where it is text or a number. */
export function asText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

async function parse(text: string, index: string): Promise<Document> {
  const { parseDocument } = await import("yaml");
  try {
    return parseDocument(text);
  } catch {
    throw new BadRequest(`${index} is nested too deep to be read.`);
  }
}
