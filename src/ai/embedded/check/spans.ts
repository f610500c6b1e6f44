import { type ChapterTimes, learnTimes } from "../../../reading/learn-times.ts";
import { finish } from "../../../reading/reading.ts";
import { type TimeTold, timelineOf } from "../../../reading/timeline.ts";
import { groupBy } from "../../../text/group-by.ts";
import { type Evidence, evidenceAt, type Found, type ProsePassage } from "./passages.ts";

/** Times of a chapter that are counted, and characters of a sentence that are kept. */
const BOUNDS = { times: 500, sentence: 400 };

/** Returns days that do not fit the day told before: "Three days later, on a Monday," after Friday 12 May. */
export function findSpans(passages: readonly ProsePassage[]): Found[] {
  const places = new Map(passages.map((passage) => [passage.blockId, passage]));
  const chapters = [...groupBy(passages, ({ chapter }) => chapter).values()].map(timesOf);
  const told = timelineOf(chapters).flat();
  let before: TimeTold | undefined;
  return told.flatMap((time): Found[] => {
    const { mark, differs } = time;
    const evidence = [before, time].flatMap((one) => {
      const passage = places.get(one?.mark.blockId ?? "");
      return one === undefined || passage === undefined
        ? []
        : [evidenceAt(passage, one.mark.from, one.mark.to)];
    });
    if (!mark.quoted && (time.value ?? time.weekday) !== null) before = time;
    const isCounted = mark.said.kind === "weekday" || mark.said.kind === "relative"; // the year of a date is often unsure
    return differs === null || mark.quoted || !isCounted || evidence.length < 2
      ? []
      : [spanFound(time, evidence)];
  });
}

function timesOf(passages: readonly [ProsePassage, ...ProsePassage[]]): ChapterTimes {
  const [{ chapterId }] = passages;
  return finish(learnTimes({ chapterId, revision: 0, title: "", blocks: passages }, BOUNDS));
}

/** A finding: rare, four in 50 novels of LitBank, and not always a slip. */
function spanFound({ mark: { words }, differs }: TimeTold, evidence: Evidence[]): Found {
  return {
    type: "contradiction",
    severity: "warn",
    message: `“${words}” does not fit the day told before: ${differs}.`,
    factId: null,
    evidence,
    suggestion: null,
    confidence: 0.4,
    claim: ["span", words, differs ?? ""],
  };
}
