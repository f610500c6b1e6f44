import { listBooks } from "../../../service/list-books.ts";
import { type Call, reply } from "../../io/call.ts";
import { columns, counted } from "../../output/columns.ts";

/** Lists the books. */
export async function books(call: Call): Promise<void> {
  const manuscript = await call.open();
  await reply(call, listBooks(manuscript), ({ books: listed }) =>
    listed.length === 0
      ? "No book yet."
      : columns(
          listed.map(({ id, title, chapterCount, wordCount }, index) => [
            String(index + 1),
            id,
            title,
            counted(chapterCount, "chapter"),
            counted(wordCount, "word"),
          ]),
          [0, 3, 4],
        ),
  );
}
