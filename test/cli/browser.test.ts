import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placesOnWindows } from "../../src/cli/commands/files/browser.ts";

describe("placesOnWindows", () => {
  it("are those of all users and of this one, Edge last", () => {
    const places = placesOnWindows({
      ProgramFiles: "C:\\Program Files",
      "ProgramFiles(x86)": "C:\\Program Files (x86)",
      LOCALAPPDATA: "C:\\Users\\Zoë\\AppData\\Local",
    });
    assert.deepEqual(places.slice(0, 3), [
      "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
      "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
      "C:\\Users\\Zoë\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe",
    ]);
    assert.ok(places.includes("C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"));
  });

  it("are none where the system names no folder", () => {
    assert.deepEqual(placesOnWindows({ ProgramFiles: "" }), []);
  });
});
