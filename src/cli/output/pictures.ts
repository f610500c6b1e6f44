import { counted } from "../../text/columns.ts";
import { type Terminal, talk } from "../io/terminal.ts";

const MOST_TOLD = 10;

/** Says on stderr which pictures the text refers to: those that the manuscript keeps, that stay in the folder, that are not there. */
export async function tellImportedPictures(
  terminal: Terminal,
  pictures: readonly { file: string; from: string | null; isThere: boolean; left?: string }[],
): Promise<void> {
  const there = pictures.filter(({ isThere, left }) => isThere && left === undefined).map(({ file }) => file);
  const left = pictures.flatMap(({ file, left: why }) => (why === undefined ? [] : [`${file}: ${why}`]));
  const missing = pictures.filter(({ isThere }) => !isThere).map(namedWithChapter);
  if (there.length > 0) await talk(terminal, `Pictures kept in the manuscript: ${listed(there)}.`);
  if (left.length > 0) await talk(terminal, `Pictures that stay in their folder alone: ${listed(left)}.`);
  if (missing.length > 0) await talk(terminal, `Pictures that are not there: ${listed(missing)}.`);
}

/** Says on stderr which pictures an export copied, and which links lead nowhere. */
export async function tellExportedPictures(
  terminal: Terminal,
  pictures: readonly { file: string; from: string; status: string }[],
): Promise<void> {
  const of = (asked: string) => pictures.filter(({ status }) => status === asked);
  const copied = of("copied").map(({ file }) => file);
  const [missing, others] = [of("missing").map(namedWithChapter), of("other").map(namedWithChapter)];
  if (copied.length > 0) await talk(terminal, `Pictures copied: ${listed(copied)}.`);
  if (missing.length > 0)
    await talk(
      terminal,
      `Pictures that neither the manuscript nor a known folder has; put them there: ${listed(missing)}.`,
    );
  if (others.length > 0)
    await talk(terminal, `Pictures of two folders under one name; the first is there: ${listed(others)}.`);
}

/** Says on stderr which pictures a text refers to that goes where no picture can. */
export async function tellLeftPictures(terminal: Terminal, pictures: readonly string[]): Promise<void> {
  if (pictures.length > 0)
    await talk(terminal, `Pictures that the text refers to are not in it: ${listed(pictures)}.`);
}

function namedWithChapter({ file, from }: { file: string; from: string | null }): string {
  return from === null ? file : `${file} (${from})`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_TOLD;
  const told = names.slice(0, MOST_TOLD).join(", ");
  return more > 0 ? `${told} and ${counted(more, "other")}; --json lists them all` : told;
}
