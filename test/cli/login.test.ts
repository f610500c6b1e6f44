import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loginEntry } from "../../src/cli/commands/desktop/login-entry.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, withBook } from "./shell.ts";

const ARGV = ["/opt/Ä b/node", "/opt/x.js", "serve", '/home/a/50 % "of" $it\\.manuscript'];
const env = {
  HOME: "/home/a",
  LOCALAPPDATA: "C:\\Users\\a\\AppData\\Local",
  USERDOMAIN: "PC",
  USERNAME: "R&D",
};

describe("loginEntry", () => {
  it("quotes for systemd, whose percent and dollar signs stand for other things", () => {
    const { path, content } = loginEntry({ env }, ARGV, "linux");
    assert.equal(path, "/home/a/.config/systemd/user/manuscript.service");
    assert.ok(
      String(content).includes(
        'ExecStart="/opt/Ä b/node" "/opt/x.js" "serve" "/home/a/50 %% \\"of\\" $$it\\\\.manuscript"\n',
      ),
      String(content),
    );
  });

  it("escapes for launchd", () => {
    const { path, content } = loginEntry({ env }, ["/a&b/node", "<x>"], "darwin");
    assert.equal(path, "/home/a/Library/LaunchAgents/manuscript.server.plist");
    assert.match(String(content), /<string>\/a&amp;b\/node<\/string>\s+<string>&lt;x&gt;<\/string>/);
  });

  it("makes a task of Windows for the user alone, in UTF-16 and without a window", () => {
    const { content } = loginEntry({ env }, ["C:\\a b\\node.exe", "D:\\"], "win32");
    const text = Buffer.from(content).toString("utf16le");
    assert.equal(text.charCodeAt(0), 0xfeff);
    assert.match(
      text,
      /<Command>conhost\.exe<\/Command><Arguments>"--headless" "C:\\a b\\node\.exe" "D:\\\\"</,
    );
    assert.equal(text.match(/<UserId>PC\\R&amp;D<\/UserId>/g)?.length, 2);
  });
});

/** A system whose systemctl notes what it is asked. */
function withSystemctl(sh: Shell, exit = 0): Shell {
  mkdirSync(join(sh.cwd, "bin"), { recursive: true });
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> "${sh.cwd}/asked.txt"\n[ ${exit} = 0 ] || echo "no bus" >&2\nexit ${exit}\n`;
  writeFileSync(join(sh.cwd, "bin/systemctl"), script, { mode: 0o700 });
  return sh.with({ env: { PATH: join(sh.cwd, "bin"), HOME: sh.cwd } });
}

describe("service", { skip: process.platform !== "linux" }, () => {
  it("starts a server of the manuscript at login, says so, and takes it back", async (t) => {
    const sh = withSystemctl(await withBook(t));
    const unit = join(sh.cwd, ".config/systemd/user/manuscript.service");
    assert.equal((await sh("service", "install")).exit, EXIT.done);
    assert.match(readFileSync(unit, "utf8"), /"serve" "--quiet" "[^"]*\.manuscript"\n/);
    assert.match((await sh("service", "status")).stdout, /^A server starts at login\. It runs\./);
    assert.equal((await sh("service", "remove")).exit, EXIT.done);
    assert.ok(!existsSync(unit));
    assert.deepEqual(
      readFileSync(join(sh.cwd, "asked.txt"), "utf8")
        .split("\n")
        .filter((line) => !/is-active/.test(line)),
      [
        "--user daemon-reload",
        "--user enable --now manuscript.service",
        "--user disable --now manuscript.service",
        "",
      ],
    );
  });

  it("leaves nothing behind where the system refuses, and says what to do", async (t) => {
    const sh = withSystemctl(await withBook(t), 1);
    const { exit, stderr } = await sh("service", "install");
    assert.equal(exit, EXIT.failed);
    assert.match(stderr, /systemctl says: no bus\. Have your desktop start/);
    assert.ok(!existsSync(join(sh.cwd, ".config/systemd/user/manuscript.service")));
    assert.match((await sh("service", "status")).stdout, /^No server starts at login\./);
  });
});

describe("uninstall", () => {
  it("says what is where, and with --yes removes what the program keeps, but no text, manuscript or copy", async (t) => {
    const sh = withSystemctl(await withBook(t));
    const state = join(sh.cwd, ".local/state/manuscript");
    const [file = ""] = (await sh("use")).stdout.match(/\S+\.manuscript/) ?? [];
    mkdirSync(join(state, "drafts"), { recursive: true });
    writeFileSync(join(state, "drafts/one.md"), "Being edited.");
    writeFileSync(join(state, "recent.json"), JSON.stringify({ files: [join(sh.cwd, file)] }));
    const said = (await sh("uninstall")).stdout;
    assert.match(said, /one\.md/);
    assert.ok(said.includes(join(sh.cwd, file)));
    assert.ok(existsSync(join(state, "recent.json")));
    assert.equal((await sh("uninstall", "--yes")).exit, EXIT.done);
    assert.ok(!existsSync(join(state, "recent.json")));
    assert.equal(readFileSync(join(state, "drafts/one.md"), "utf8"), "Being edited.");
    assert.ok(existsSync(join(sh.cwd, file)));
  });
});
