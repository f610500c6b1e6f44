import { basename } from "node:path";
import { bundleText, readBundleFile, writeBundle } from "../../../files/bundle.ts";
import { unkeptPictures } from "../../../files/pictures.ts";
import { BadRequest } from "../../../refusals.ts";
import { type BundleSize, bundleShape, loadBundle, readBundle } from "../../../service/interchange/bundle.ts";
import { listBooks } from "../../../service/list-books.ts";
import { counted } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { ENDING } from "../../input/manuscript-file.ts";
import { type Call, DRY, reply, talkUnlessJson } from "../../io/call.ts";
import { print, talk } from "../../io/terminal.ts";
import { tellLeftPictures } from "../../output/pictures.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

/** Writes the whole manuscript, history included, as one JSON file. */
export async function exportBundle(
  call: Call,
  { output, force = false }: { output?: string | undefined; force?: boolean | undefined },
): Promise<void> {
  const manuscript = await call.open();
  const { bundle, size, flaw } = readBundle(manuscript);
  if (flaw !== undefined) {
    await talk(call.terminal, `This bundle could not be imported (${flaw}); see "manuscript doctor".`);
  }
  const pictures = listBooks(manuscript)
    .books.flatMap(({ id }) => unkeptPictures(manuscript, id))
    .map(({ file }) => file);
  const pieces = bundleText(bundle, bundleShape(manuscript));
  if (output === "-") {
    for (const piece of pieces) await print(call.terminal, piece);
    return await tellLeftPictures(call.terminal, pictures);
  }
  const name = `${basename(manuscript.store.path, ENDING)}.json`;
  const path = placeOf(call, output ?? name, "--output");
  const answer: CommandAnswer<"export -f json"> = {
    file: path,
    bytes: await writeBundle(path, pieces, { force }),
    ...size,
  };
  await reply(call, answer, ({ file }) => `${file}: ${describe(size)}`);
  await tellLeftPictures(call.terminal, pictures);
}

/** Takes a bundle into a manuscript in which nothing was ever written. */
export async function importBundle(
  call: Call,
  path: string,
  { dryRun = false, ...others }: { dryRun?: boolean | undefined; [option: string]: unknown },
): Promise<void> {
  const given = Object.keys(others).filter((option) => others[option] !== undefined);
  if (given.length > 0) {
    throw new BadRequest(
      `A bundle is a whole manuscript and is taken as it is: leave out --${given.join(", --").replaceAll("exitCode", "exit-code")}.`,
    );
  }
  const manuscript = await call.open();
  const file = placeOf(call, path, "PATH");
  const size = loadBundle(manuscript, readBundleFile(file, bundleShape(manuscript)), { dryRun });
  const answer: CommandAnswer<"import FILE.json"> = { file, written: !dryRun, ...size };
  await reply(
    call,
    answer,
    () => `${manuscript.store.path}: ${dryRun ? "would take in " : ""}${describe(size)}`,
  );
  if (dryRun) await talkUnlessJson(call, DRY);
}

function describe({ books, chapters, words, acts }: BundleSize): string {
  return [
    counted(books, "book"),
    counted(chapters, "chapter"),
    counted(words, "word"),
    counted(acts, "act"),
  ].join(", ");
}
