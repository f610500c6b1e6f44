import type { JSX } from "preact";
import { kept } from "../../parts/choices/kept.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { BookView } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import type { Place } from "../../router.ts";
import { Language } from "./language.tsx";
import { Pace } from "./pace.tsx";
import { Time } from "./time.tsx";
import { Who } from "./who.tsx";
import "../../style/insight.css";

const PAGES = [
  ["who", "Who appears where"],
  ["time", "The book’s time"],
  ["language", "Language"],
  ["pace", "Pace"],
] as const;
const shown = kept<(typeof PAGES)[number][0]>("manuscript.insight", "who");

/** A book as it is counted, nothing in it judged: each mark of a picture leads to its place. */
export function View({ bookId }: Place): JSX.Element {
  return (
    <BookView bookId={bookId} title="Insight" kind="insight">
      {() => (
        <>
          <ViewHead title="Insight" about="Counted, not judged. Every mark leads to its place in the book." />
          <Switch label="Which page" options={PAGES} chosen={shown} />
          {shown.value === "who" && <Who bookId={bookId} />}
          {shown.value === "time" && <Time bookId={bookId} />}
          {shown.value === "language" && <Language bookId={bookId} />}
          {shown.value === "pace" && <Pace bookId={bookId} />}
        </>
      )}
    </BookView>
  );
}
