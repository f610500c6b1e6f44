import { type ComponentType, h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "./parts/states.tsx";
import { match } from "./router.ts";

/** What an address names, each "" where it names none. */
export interface Place {
  bookId: string;
  partId: string;
  chapterId: string;
  factId: string;
}

type View = ComponentType<Place>;

const NOWHERE: Place = { bookId: "", partId: "", chapterId: "", factId: "" };

/** Every view by its address; each is loaded when it is first gone to. A view is named by what it exports as `View`. */
const VIEWS: readonly (readonly [pattern: string, load: () => Promise<{ View: View }>])[] = [
  ["/", () => import("./views/shelf/home.tsx")],
  ["/settings", () => import("./views/settings/settings.tsx")],
  ["/b/:bookId", () => import("./views/desk/desk.tsx")],
  ["/b/:bookId/read", () => import("./views/read/whole.tsx")],
  ["/b/:bookId/read/:partId", () => import("./views/read/whole.tsx")],
  ["/b/:bookId/map", () => import("./views/map/map.tsx")],
  ["/b/:bookId/map/:factId", () => import("./views/map/map.tsx")],
  ["/b/:bookId/notes", () => import("./views/notes/notes.tsx")],
  ["/b/:bookId/c/:chapterId", () => import("./views/read/chapter.tsx")],
  ["/b/:bookId/c/:chapterId/edit", () => import("./views/write/write.tsx")],
  ["/b/:bookId/c/:chapterId/history", () => import("./views/history/history.tsx")],
  ["/b/:bookId/acts", () => import("./views/acts/acts.tsx")],
  ["/b/:bookId/replace", () => import("./views/replace/replace.tsx")],
];

/** The view of a path. */
export function viewOf(path: string): JSX.Element {
  for (const [pattern, load] of VIEWS) {
    const params = match(pattern, path);
    if (params !== undefined) return <Loaded key={pattern} load={load} place={{ ...NOWHERE, ...params }} />;
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

const loaded = new Map<unknown, View>();

function Loaded({ load, place }: { load: () => Promise<{ View: View }>; place: Place }): JSX.Element {
  const [, showAgain] = useState(0);
  useEffect(() => {
    if (!loaded.has(load))
      void load().then(({ View }) => {
        loaded.set(load, View);
        showAgain((count) => count + 1);
      });
  }, [load]);
  const View = loaded.get(load);
  return View === undefined ? <Loading /> : h(View, place);
}
