import { BookOpen, ChevronDown, History, LayoutList, Search, Settings2, Waypoints } from "lucide";
import type { JSX } from "preact";
import { useRead } from "../api/reads.ts";
import { openGoTo } from "../go-to/over.tsx";
import { path } from "../router.ts";
import { Icon } from "./button.tsx";
import { later } from "./later.tsx";
import { Menu } from "./menu.tsx";

const PLACES = [
  { name: "Desk", icon: LayoutList, at: "", is: /^\/?$/ },
  { name: "Read", icon: BookOpen, at: "/read", is: /^\/(?:read\b|c\/[^/]+(?!.*\/history))/ },
  { name: "Story map", short: "Map", icon: Waypoints, at: "/map", is: /^\/(?:map|review)\b/ },
  { name: "History", icon: History, at: "/acts", is: /^\/(?:acts\b|c\/[^/]+\/history)/ },
];

const SETTINGS = { name: "Settings", short: "Settings", icon: Settings2, to: "/settings" };

/** The places of a book with their addresses, and whether one is there. */
function placesOf(bookId: string) {
  const within = path.value.replace(/^\/b\/[^/]+/, "");
  return PLACES.map((place) => ({ ...place, to: `/b/${bookId}${place.at}`, isHere: place.is.test(within) }));
}

/** The bar over every view: the book, its places, search, settings; where it is narrow the places are tabs below. */
export function Bar({ bookId }: { bookId: string | undefined }): JSX.Element {
  return (
    <>
      <header class="bar">
        <a class="book" href={bookId === undefined ? "/" : `/b/${bookId}`}>
          <span class="mark" aria-hidden="true">
            ¶
          </span>{" "}
          {bookId === undefined ? "Manuscript" : <BookTitle bookId={bookId} />}
        </a>
        {bookId !== undefined && (
          <Menu label="Books" icon={ChevronDown}>
            {(close) => <Books bookId={bookId} close={close} />}
          </Menu>
        )}
        {bookId !== undefined && (
          <nav aria-label="Book">
            {placesOf(bookId).map(({ name, to, isHere }) => (
              <a key={name} href={to} aria-current={isHere ? "page" : undefined}>
                {name}
              </a>
            ))}
          </nav>
        )}
        <button
          class="find"
          type="button"
          aria-label="Search or go to (/)"
          aria-keyshortcuts="/"
          onClick={openGoTo}
        >
          <Icon of={Search} />
          <span>Search or go to</span>
          <kbd>/</kbd>
        </button>
        <span class="tools">
          <a
            href="/settings"
            aria-label="Settings"
            aria-current={path.value === "/settings" ? "page" : undefined}
          >
            <Icon of={Settings2} />
          </a>
        </span>
      </header>
      {bookId !== undefined && <Tabs bookId={bookId} />}
    </>
  );
}

function BookTitle({ bookId }: { bookId: string }): JSX.Element {
  return <>{useRead("readOutline", { params: { bookId } }).answer?.title ?? ""}</>;
}

/** Loaded when it is first opened. */
const Books = later(() => import("../views/shelf/book-menu.tsx"));

function Tabs({ bookId }: { bookId: string }): JSX.Element {
  const tabs = [...placesOf(bookId), { ...SETTINGS, isHere: path.value === SETTINGS.to }];
  return (
    <nav class="tabs" aria-label="Book, below">
      {tabs.map(({ name, short = name, icon, to, isHere }) => (
        <a key={name} href={to} aria-current={isHere ? "page" : undefined}>
          <Icon of={icon} />
          {short}
        </a>
      ))}
    </nav>
  );
}
