import type { JSX } from "preact";
import { number, when } from "../../parts/numbers.ts";
import { StatusChoice } from "../../parts/status.tsx";
import type { Shown } from "./outline-view.tsx";

const COLUMNS = [
  ["No.", "num"],
  ["Chapter", ""],
  ["Part", ""],
  ["Status", ""],
  ["Words", "num"],
  ["Notes", "num"],
  ["Changed", ""],
] as const;

/** The chapters as a table, for a book of hundreds: one line each. */
export function View({ book, groups, noteCounts }: Shown): JSX.Element {
  return (
    <div class="grid-wrap">
      <table class="grid">
        <thead>
          <tr>
            {COLUMNS.map(([name, kind]) => (
              <th key={name} scope="col" class={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.flatMap(({ title, chapters }) =>
            chapters.map((chapter) => (
              <tr key={chapter.id}>
                <td class="num">{chapter.position}</td>
                <th scope="row">
                  <a href={`/b/${book.id}/c/${chapter.id}`}>{chapter.title}</a>
                </th>
                <td>{title}</td>
                <td>
                  <StatusChoice chapter={chapter} />
                </td>
                <td class="num">{number(chapter.wordCount)}</td>
                <td class="num">{noteCounts.get(chapter.id) ?? ""}</td>
                <td>{when(chapter.updatedAt)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
