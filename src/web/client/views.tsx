import { type ComponentType, h, type JSX } from "preact";
import { later } from "./parts/later.tsx";
import { match, type Place } from "./router.ts";

const NOWHERE: Place = { bookId: "", partId: "", chapterId: "", factId: "" };

const map = later(() => import("./views/map/map.tsx"));
const whole = later(() => import("./views/read/whole.tsx"));

/** Every view by its address; each is loaded when it is first gone to. A view is named by what it exports as `View`. */
const VIEWS: readonly (readonly [pattern: string, view: ComponentType<Place>])[] = [
  ["/", later(() => import("./views/shelf/home.tsx"))],
  ["/settings", later(() => import("./views/settings/settings.tsx"))],
  ["/b/:bookId", later(() => import("./views/desk/desk.tsx"))],
  ["/b/:bookId/read", whole],
  ["/b/:bookId/read/:partId", whole],
  ["/b/:bookId/map", map],
  ["/b/:bookId/map/:factId", map],
  ["/b/:bookId/review", later(() => import("./views/review/review.tsx"))],
  ["/b/:bookId/proposals", later(() => import("./views/proposals/proposals.tsx"))],
  ["/b/:bookId/notes", later(() => import("./views/notes/notes.tsx"))],
  ["/b/:bookId/c/:chapterId", later(() => import("./views/read/chapter.tsx"))],
  ["/b/:bookId/c/:chapterId/edit", later(() => import("./views/write/write.tsx"))],
  ["/b/:bookId/c/:chapterId/history", later(() => import("./views/history/history.tsx"))],
  ["/b/:bookId/acts", later(() => import("./views/acts/acts.tsx"))],
  ["/b/:bookId/milestones", later(() => import("./views/milestones/milestones.tsx"))],
  ["/b/:bookId/insight", later(() => import("./views/insight/insight.tsx"))],
  ["/b/:bookId/panes", later(() => import("./views/panes.tsx"))],
  ["/b/:bookId/export", later(() => import("./views/export/export.tsx"))],
  ["/b/:bookId/replace", later(() => import("./views/replace/replace.tsx"))],
];

/** The view of a path. */
export function viewOf(path: string): JSX.Element {
  for (const [pattern, view] of VIEWS) {
    const params = match(pattern, path);
    if (params !== undefined) return h(view, { key: pattern, ...NOWHERE, ...params });
  }
  return (
    <main id="content">
      <p>
        There is no such page.{" "}
        <a class="link" href="/">
          To the desk
        </a>
      </p>
    </main>
  );
}
