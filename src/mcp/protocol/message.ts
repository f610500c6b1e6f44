import {
  deserializeMessage,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
} from "@modelcontextprotocol/server";

/** Why a line is no message, and what it is answered. */
export interface RefusedLine {
  /** Null where it cannot be read. */
  id: string | number | null;
  code: number;
  message: string;
}

/** The message of a line, or why it is none; undefined for a blank one, and for an answer that is none, which nobody answers. */
export function readMessage(
  line: string,
): { message: JSONRPCMessage } | { refused: RefusedLine } | undefined {
  const text = line.replace(/^\uFEFF/, "").trim();
  if (text === "") return undefined;
  try {
    return { message: withoutNull(deserializeMessage(text)) };
  } catch (error) {
    if (error instanceof SyntaxError)
      return {
        refused: { id: null, code: PARSE_ERROR, message: "A line is no JSON; send a message a line." },
      };
    return refusedFor(JSON.parse(text));
  }
}

/** Arguments that are null are none, as some clients send them; the package takes them for a fault. */
function withoutNull(message: JSONRPCMessage): JSONRPCMessage {
  if (!("method" in message) || message.method !== "tools/call" || message.params?.arguments !== null)
    return message;
  return { ...message, params: { ...message.params, arguments: {} } };
}

function refusedFor(value: unknown): { refused: RefusedLine } | undefined {
  if (Array.isArray(value))
    return {
      refused: { id: null, code: INVALID_REQUEST, message: "No batches: send a message a line." },
    };
  const { id, method } = Object(value) as { id?: unknown; method?: unknown };
  if (method === undefined && id !== undefined) return undefined;
  const known = typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
  const message =
    'A line is no message: it needs "jsonrpc": "2.0", a method, an object if any as params, and to be answered an id, a text or a whole number.';
  return { refused: { id: known, code: INVALID_REQUEST, message } };
}

/** The request that a message takes back; undefined if it is none of the kind. */
export function cancelledBy(message: JSONRPCMessage): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.requestId;
}

/** Whether it is to be answered. */
export function isRequest(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { id: string | number; method: string } {
  return "id" in message && "method" in message;
}
