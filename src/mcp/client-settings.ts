/** The folder of the package itself. */
export const PACKAGE = new URL("../../", import.meta.url);

/** The programs whose settings are known. */
export const CLIENTS = ["claude", "cursor", "vscode", "zed"] as const;
/** One of them. */
export type ClientName = (typeof CLIENTS)[number];

/** A command line in full. */
export interface Launch {
  command: string;
  args: readonly string[];
}

const SHAPES: Readonly<Record<ClientName, { where: string; shape: (launch: Launch) => object }>> = {
  claude: {
    where: ".mcp.json in a project (Claude Code), or claude_desktop_config.json (Settings, Developer)",
    shape: (launch) => ({ mcpServers: { manuscript: launch } }),
  },
  cursor: {
    where: ".cursor/mcp.json in a project, or ~/.cursor/mcp.json",
    shape: (launch) => ({ mcpServers: { manuscript: launch } }),
  },
  vscode: {
    where: '.vscode/mcp.json in a workspace, or "MCP: Open User Configuration"',
    shape: (launch) => ({ servers: { manuscript: { type: "stdio", ...launch } } }),
  },
  zed: {
    where: '"zed: open settings"',
    shape: (launch) => ({ context_servers: { manuscript: { source: "custom", ...launch, env: {} } } }),
  },
};

/** What goes into a client's settings, and where they are. */
export function settingsOf(client: ClientName, launch: Launch): { where: string; settings: object } {
  const { where, shape } = SHAPES[client];
  return { where, settings: shape(launch) };
}
