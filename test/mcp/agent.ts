import type { TestContext } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { type McpService, serveMcp } from "../../src/mcp/server.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { withSample } from "../support/sample.ts";

/** The protocol's eras, as a client asks for them. */
export const ERAS = { stateless: { pin: "2026-07-28" }, sessions: "legacy" } as const;
export type Era = keyof typeof ERAS;

/** An agent at work on a manuscript: the official client, in this process. */
export interface Agent {
  client: Client;
  /** The text of an answer; `tool` in the name of `failing` expects an error. */
  ask: (tool: string, args?: Record<string, unknown>) => Promise<string>;
  /** The text of a refusal. */
  refused: (tool: string, args?: Record<string, unknown>) => Promise<string>;
  log: string[];
}

export interface AgentOptions extends Partial<Omit<McpService, "open" | "log">> {
  era?: Era;
  client?: string;
  open?: () => Manuscript;
}

/** Connects an agent to a manuscript. */
export async function agentOf(
  t: Pick<TestContext, "after">,
  own: Manuscript,
  { era = "stateless", client: called = "test-agent", ...service }: AgentOptions = {},
): Promise<Agent> {
  const log: string[] = [];
  const [near, far] = InMemoryTransport.createLinkedPair();
  const served = serveMcp(
    { open: () => own, allowed: "propose", version: "0.0.0", log: (line) => log.push(line), ...service },
    far,
  );
  const client = new Client({ name: called, version: "1.0.0" }, { versionNegotiation: { mode: ERAS[era] } });
  await client.connect(near);
  t.after(async () => {
    await client.close();
    await served.close();
  });
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name: tool, arguments: args });
    const [first] = content;
    if (first?.type !== "text") throw new Error(`${tool} answered no text`);
    return { text: first.text, isError: isError ?? false };
  };
  return {
    client,
    log,
    ask: async (tool, args = {}) => {
      const { text, isError } = await call(tool, args);
      if (isError) throw new Error(`${tool}: ${text}`);
      return text;
    },
    refused: async (tool, args = {}) => {
      const { text, isError } = await call(tool, args);
      if (!isError) throw new Error(`${tool} was not refused: ${text}`);
      return text;
    },
  };
}

/** An agent on the sample. */
export async function withAgent(t: Pick<TestContext, "after">, options: AgentOptions = {}) {
  const { own, sample } = withSample(t);
  return { own, sample, ...(await agentOf(t, own, options)) };
}
