import { listFacts, theFact } from "../../service/annotations/facts.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { Choice } from "../../service/naming/choose.ts";
import {
  bookNamed,
  chapterNamed,
  type FoundBook,
  type FoundChapter,
  type NameQuestion,
  namedInBook,
} from "../../service/naming/named.ts";

const TOOLS: Readonly<Record<string, string>> = { facts: "read_cast" };

function asked(manuscript: Manuscript): NameQuestion {
  return {
    manuscript,
    words: {
      lister: (listedBy, isOfBook) => `${TOOLS[listedBy] ?? "read_outline"}${isOfBook ? " with book" : ""}`,
      withBook: "with book",
      // Titles are the writer's text, which stands between fences alone.
      list: (choices) => listIds(choices),
      firstBook: 'the writer\'s "manuscript import"',
    },
  };
}

const MOST_LISTED = 20;

function listIds(choices: readonly Choice[]): string {
  const ids = choices
    .slice(0, MOST_LISTED)
    .map(({ id, position }) => (position === undefined ? id : `${id} (number ${position})`));
  return ids.join(", ") + (choices.length > MOST_LISTED ? " …" : "");
}

/** The book that an agent names; without a name the only one. Throws `NotFound` and `BadRequest`. */
export function findBookNamed(manuscript: Manuscript, wanted: string | undefined): FoundBook {
  return bookNamed(asked(manuscript), wanted, "name one with book");
}

/** The chapter that an agent names by id, number or title. Throws `NotFound` and `BadRequest`. */
export function findChapterNamed(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): FoundChapter {
  return chapterNamed(asked(manuscript), wanted, book);
}

/** The fact that an agent names by id, name or alias. Throws `NotFound` and `BadRequest`. */
export function findFactNamed(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): { id: string; bookId: string } {
  if (/^fa_[0-9a-z]+$/.test(wanted)) return theFact(manuscript, wanted);
  return namedInBook(asked(manuscript), wanted, {
    book,
    what: "fact",
    listedBy: "facts",
    list: (bookId) =>
      listFacts(manuscript, bookId).facts.map(({ id, name, aliases }) => ({ id, title: name, aliases })),
  });
}
