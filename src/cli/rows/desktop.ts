import { commandRows, type Families } from "./rows.ts";

/** Commands that come in families. */
export const FAMILIES: Families = {
  service: {
    about: "start the server at login, or no longer",
    alone: "service status",
    examples: ["service", "service install", "service remove"],
  },
};

/** `app`, the `service` family and `uninstall`. */
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
  "service install": {
    about: "serve manuscripts from now on, and at every login of this user",
    takes: {
      "[files...]": { about: "manuscripts, or folders of them; else the one that is meant here", is: "file" },
    },
    examples: ["service install", "service install ~/novels"],
  },
  "service status": {
    about: "say whether the server starts at login, and whether it runs",
    examples: ["service status", "service status --json"],
  },
  "service remove": {
    about: "stop that server, and start none at login any more",
    examples: ["service remove"],
  },
  uninstall: {
    about: "say what is where; with --yes remove the program, and never a manuscript or a copy",
    takes: { "--yes": "remove it" },
    examples: ["uninstall", "uninstall --yes"],
  },
});
