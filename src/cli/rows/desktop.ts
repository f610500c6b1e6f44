import { commandRows } from "./rows.ts";

/** `app`. */
export const ROWS = commandRows({
  app: {
    about: "what a double click runs: open a manuscript in a window of its own, until it is closed",
    takes: {
      "[file]": {
        about: "the manuscript; else the one opened last, else My books in the documents folder",
        is: "file",
      },
    },
    examples: ["app", "app salt.manuscript"],
  },
});
