import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { session } from "../../api/session.ts";
import { Await, Loading, ProblemNote } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";
import { type Outline, useTitle } from "../../parts/view.tsx";
import type { Place } from "../../router.ts";
import { Contents } from "../read/contents.tsx";
import type { AroundText } from "./around.tsx";
import { Head } from "./head.tsx";
import { preference } from "./preferences.ts";
import type { Writer } from "./writer.ts";

type Around = Pick<typeof import("./around.tsx"), "Beside" | "Below">;

const text = import("./writer.ts"); // on its way while the outline is asked for
text.catch(() => undefined); // told where it is opened

/** A chapter that is written in. */
export function View({ bookId, chapterId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  return (
    <Await read={outline}>{(book) => <Writing key={chapterId} book={book} chapterId={chapterId} />}</Await>
  );
}

function Writing({ book, chapterId }: { book: Outline; chapterId: string }): JSX.Element {
  const chapter = book.chapters.find(({ id }) => id === chapterId);
  useTitle(`${chapter?.title ?? "Deleted"} · writing`);
  return (
    <main id="content" class="reading write" data-focus={preference("focus").value}>
      <Contents book={book} chapterId={chapterId} />
      <article class="prose">
        <ChapterText book={book} chapterId={chapterId} done={`/b/${book.id}/c/${chapterId}`}>
          {(writer) =>
            chapter !== undefined && (
              <Head book={book} chapter={chapter} isTitled={isTitled(writer, chapter.title)} />
            )
          }
        </ChapterText>
      </article>
    </main>
  );
}

interface ChapterTextProps extends Omit<AroundText, "writer"> {
  /** True if one is in this text: then its toolbar, its margin and its keys are there. */
  isHere?: boolean;
  /** Stands above the text, while it is on its way too. */
  children: (writer: Writer | undefined) => ComponentChildren;
}

/** The text of a chapter, to write in. */
export function ChapterText({ isHere = true, children, ...given }: ChapterTextProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const { writer, around, problem, again } = useWriter(place, given);
  const bearer = session.value;
  const revision = given.book.chapters.find(({ id }) => id === given.chapterId)?.revision;
  useEffect(() => {
    if (bearer) void writer?.saver.saveAll();
  }, [bearer, isHere]);
  useEffect(() => {
    if (writer !== undefined && revision !== undefined) void writer.saver.catchUp(revision);
  }, [writer, revision]);
  return (
    <>
      {children(writer)}
      {problem !== undefined && <ProblemNote problem={problem} onAgain={again} />}
      {writer === undefined && problem === undefined && <Loading />}
      <div ref={place} />
      {writer && around && isHere && (
        <>
          <around.Beside writer={writer} {...given} />
          <around.Below writer={writer} {...given} />
        </>
      )}
    </>
  );
}

/** True if the text begins with the title, which is then changed there; true also until the text is here. */
export function isTitled(writer: Writer | undefined, title: string): boolean {
  void writer?.shape.value; // a heading that comes or goes
  const first = writer?.view.state.doc.firstChild;
  return writer === undefined || (first?.type.name === "heading" && first.textContent.trim() === title);
}

interface Opened {
  writer: Writer | undefined;
  around: Around | undefined;
  problem: Problem | undefined;
  /** Tries again to open it. */
  again: () => void;
}

/** The open chapter and what stands around it; while they are on their way neither they nor a problem. */
function useWriter(place: RefObject<HTMLDivElement | null>, given: Omit<AroundText, "writer">): Opened {
  const { book, chapterId } = given;
  const [writer, setWriter] = useState<Writer>();
  const [around, setAround] = useState<Around>();
  const [problem, setProblem] = useState<Problem>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isGone = false;
    let opened: Writer | undefined;
    const open = async () => {
      const { openWriter } = await text.catch(() => import("./writer.ts"));
      opened = await openWriter(place.current!, book, chapterId); // it is shown
      if (isGone) return opened.close();
      if (opened.isRestored) tell("Your unsaved text is back.");
      setWriter(opened);
      const { Beside, Below, prepare } = await import("./around.tsx");
      if (isGone) return;
      prepare({ writer: opened, ...given });
      setAround({ Beside, Below });
    };
    open().catch((thrown) => setProblem(asProblem(thrown)));
    const keep = guard(() => opened);
    return () => {
      isGone = true;
      keep();
      if (opened?.saver.isUnsaved && !session.peek())
        tell("You are signed out. What you typed is kept in this browser and saved once you are in again.", {
          isProblem: true,
        });
      opened?.close();
    };
  }, [chapterId, tries]);
  const again = () => {
    setProblem(undefined);
    setTries(tries + 1);
  };
  return { writer, around, problem, again };
}

/** While something is unsaved: kept and sent when the tab is hidden, and asked about when it is closed. */
function guard(current: () => Writer | undefined): () => void {
  const keep = (event: Event) => {
    const saver = current()?.saver;
    if (!saver?.isUnsaved) return;
    void saver.keepDraft(); // whatever is answered
    if (event.type === "beforeunload") event.preventDefault();
    else if (document.hidden) void saver.save();
  };
  const end = new AbortController();
  document.addEventListener("visibilitychange", keep, end);
  addEventListener("pagehide", keep, end);
  addEventListener("beforeunload", keep, end);
  return () => end.abort();
}
