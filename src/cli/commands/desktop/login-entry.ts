import { join } from "node:path";
import { homeFolder, stateFolder } from "../../input/manuscript-file.ts";
import type { Terminal } from "../../io/terminal.ts";

type Command = readonly [program: string, ...words: string[]];

/** A program that the system starts when its user logs in: the file that says so, and the commands for it. */
export interface LoginEntry {
  /** The file that says what is started. */
  path: string;
  content: string | Buffer;
  /** Commands that start it now and at every login. */
  start: readonly Command[];
  /** Commands that stop it and forget it; the file is removed after them. */
  stop: readonly Command[];
  /** Ends with 0 if it runs, on Windows if it is known. */
  status: Command;
}

const NAME = "manuscript";
const LABEL = "manuscript.server";
const TASK = "Manuscript";

/** The entry for a command line, as this system has it: a unit of systemd, an agent of launchd, a task of Windows. */
export function loginEntry(
  terminal: Pick<Terminal, "env">,
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): LoginEntry {
  const home = homeFolder(terminal);
  if (platform === "darwin") return agentOf(join(home, `Library/LaunchAgents/${LABEL}.plist`), argv);
  if (platform === "win32") return taskOf(join(stateFolder(terminal), "login.xml"), terminal, argv);
  const config = terminal.env.XDG_CONFIG_HOME || join(home, ".config");
  return unitOf(join(config, `systemd/user/${NAME}.service`), argv);
}

/** Source: https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html. */
function unitOf(path: string, argv: readonly string[]): LoginEntry {
  const quoted = (word: string) => `"${word.replace(/[\\"]/g, "\\$&").replace(/[%$]/g, "$&$&")}"`;
  const ctl = (...words: string[]): Command => ["systemctl", "--user", ...words];
  return {
    path,
    content: `[Unit]
Description=Manuscript

[Service]
ExecStart=${argv.map(quoted).join(" ")}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`,
    start: [ctl("daemon-reload"), ctl("enable", "--now", `${NAME}.service`)],
    stop: [ctl("disable", "--now", `${NAME}.service`)],
    status: ctl("is-active", "--quiet", `${NAME}.service`),
  };
}

/** Source: https://developer.apple.com/library/archive/documentation/MacOSX/Conceptual/BPSystemStartup/. */
function agentOf(path: string, argv: readonly string[]): LoginEntry {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const words = argv.map((word) => `    <string>${escaped(word)}</string>\n`).join("");
  return {
    path,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
</dict>
</plist>
`,
    start: [["launchctl", "bootstrap", domain, path]],
    stop: [["launchctl", "bootout", `${domain}/${LABEL}`]],
    status: ["launchctl", "print", `${domain}/${LABEL}`],
  };
}

/** Source: https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema. */
function taskOf(path: string, { env }: Pick<Terminal, "env">, argv: readonly string[]): LoginEntry {
  const user = escaped([env.USERDOMAIN, env.USERNAME].filter(Boolean).join("\\"));
  const words = ["--headless", ...argv].map((word) => `"${word.replace(/(\\*)$/, "$1$1")}"`); // no word holds a quote
  const content = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><UserId>${user}</UserId></LogonTrigger></Triggers>
  <Principals><Principal><UserId>${user}</UserId><LogonType>InteractiveToken</LogonType></Principal></Principals>
  <Settings>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions><Exec><Command>conhost.exe</Command><Arguments>${escaped(words.join(" "))}</Arguments></Exec></Actions>
</Task>
`;
  return {
    path,
    content: Buffer.from(`\ufeff${content.replaceAll("\n", "\r\n")}`, "utf16le"), // as schtasks wants it
    start: [
      ["schtasks", "/Create", "/TN", TASK, "/XML", path, "/F"],
      ["schtasks", "/Run", "/TN", TASK],
    ],
    stop: [
      ["schtasks", "/End", "/TN", TASK],
      ["schtasks", "/Delete", "/TN", TASK, "/F"],
    ],
    status: ["schtasks", "/Query", "/TN", TASK],
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
