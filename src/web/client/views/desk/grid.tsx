import type { JSX } from "preact";
import { number, when } from "../../parts/numbers.ts";
import { StatusChoice } from "../../parts/status.tsx";
import type { Shown } from "./outline-view.tsx";

/** The chapters as a table, for a book of hundreds: one line each. */
export function View({ book, groups, noteCounts }: Shown): JSX.Element {
  return (
    <div class="grid-wrap">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col" class="num">
              No.
            </th>
            <th scope="col">Chapter</th>
            <th scope="col">Part</th>
            <th scope="col">Status</th>
            <th scope="col" class="num">
              Words
            </th>
            <th scope="col" class="num">
              Notes
            </th>
            <th scope="col">Changed</th>
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
