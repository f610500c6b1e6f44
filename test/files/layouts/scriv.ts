import type { Files } from "./desk.ts";

const rtf = (...paragraphs: readonly string[]) =>
  `{\\rtf1\\ansi\\ansicpg1252\\cocoartf2639\n{\\fonttbl\\f0\\fnil Palatino;}\n\\pard\\fi360\\f0 ${paragraphs.join("\\\n")}}`;

const item = (id: string, title: string, { type = "Text", about = "", inside = "" } = {}) =>
  `<BinderItem UUID="${id}" Type="${type}"><Title>${title}</Title><MetaData><IncludeInCompile>Yes</IncludeInCompile>${about}</MetaData><Children>${inside}</Children></BinderItem>`;

const binder = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ScrivenerProject Version="2.0"><Binder>${inside}</Binder><StatusSettings><StatusItems><Status ID="-1">No Status</Status><Status ID="1">First Draft</Status><Status ID="4">Done</Status></StatusItems></StatusSettings></ScrivenerProject>`;

const status = (id: number) => `<StatusID>${id}</StatusID>`;
const folder = (id: string, title: string, ...inside: readonly string[]) =>
  item(id, title, { type: "Folder", inside: inside.join("") });

const COMMENTS = `<?xml version="1.0"?><Comments><Comment ID="C-1" Color="1"><![CDATA[${rtf("Which ferry?")}]]></Comment><Comment ID="F-1" Footnote="Yes"><![CDATA[${rtf("The old one.")}]]></Comment></Comments>`;
const link = (id: string, words: string) =>
  `{\\field{\\*\\fldinst{HYPERLINK "scrivcmt://${id}"}}{\\fldrslt ${words}}}`;

/** A project of Scrivener 3 with two acts, and one chapter that stands by itself. */
export const SCRIV: Files = {
  "Ferry.scrivx": binder(
    [
      item("DRAFT", "Manuscript", {
        type: "DraftFolder",
        inside: [
          item("P-1", "Prologue", { about: status(4) }),
          folder(
            "A-1",
            "Act One",
            folder(
              "CH-1",
              "The Quay",
              item("S-1", "Dawn", { about: status(4) }),
              item("S-2", "Noon", { about: status(1) }),
            ),
            item("CH-2", "Alone", { about: status(4) }),
          ),
          folder("CH-3", "Ashore", item("S-3", "Sand"), item("S-4", "Empty")),
          item("X-1", "Cut", { about: "<IncludeInCompile>No</IncludeInCompile>" }).replace(
            "<IncludeInCompile>Yes</IncludeInCompile>",
            "",
          ),
        ].join(""),
      }),
      folder("RESEARCH", "Research", item("R-1", "Tides")),
    ].join(""),
  ),
  "Files/Data/P-1/content.rtf": rtf("<$Scr_Ps::0>\\uc0\\u8220 Once.\\u8221 <!$Scr_Ps::0>"),
  "Files/Data/S-1/content.rtf": rtf(
    `The ${link("C-1", "ferry")} came${link("F-1", ".")}`,
    "She went {\\i home}.",
    "#",
    "Later.",
  ),
  "Files/Data/S-1/content.comments": COMMENTS,
  "Files/Data/S-1/synopsis.txt": "A ferry comes.",
  "Files/Data/S-1/notes.rtf": rtf("Check the tides.", "Both."),
  "Files/Data/S-2/content.rtf": rtf("Heat."),
  "Files/Data/S-2/synopsis.txt": "It is hot.",
  "Files/Data/CH-2/content.rtf": rtf("Nobody."),
  "Files/Data/S-3/content.rtf": rtf("Sand."),
  "Files/Data/X-1/content.rtf": rtf("Not this."),
  "Files/Data/R-1/content.rtf": rtf("Tide tables."),
  "Files/version.txt": "23",
  "Settings/compile.xml": "<x/>",
};

/** A project whose binder holds this. */
export function scrivWith(inside: string): string {
  return binder(item("DRAFT", "Draft", { type: "DraftFolder", inside }));
}

/** An item of a binder. */
export const binderItem = item;
