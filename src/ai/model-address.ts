/** Where a language model's server listens. */
export interface ModelAddress {
  /** The base of its API, without a slash at the end: `http://127.0.0.1:11434/v1`. */
  base: string;
  /** True if prose would leave this machine. */
  isRemote: boolean;
}

/**
 * The address of an OpenAI-compatible server; undefined if the text is none. A bare host gets `/v1`, an address of the
 * chat route itself loses it. A user, password, query or fragment is refused: a key in it would be stored. Only the
 * literal loopback addresses and `localhost` are this machine: a name of any other kind may lead anywhere.
 */
export function readAddress(text: string): ModelAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return undefined;
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return { base: url.origin + (path === "" ? "/v1" : path), isRemote: !isLoopback(url.hostname) };
}

// The parser has brought every spelling of an IPv4 address (127.1, 0x7f.1, 2130706433) into four decimal numbers, and
// lets no name end in a number.
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
