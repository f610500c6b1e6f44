import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { BadRequest, Unavailable } from "../refusals.ts";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
const ANY = new BlockList();
ANY.addAddress("0.0.0.0", "ipv4");
ANY.addAddress("::", "ipv6");

/** True for an IP address that this machine alone can reach: 127.0.0.0/8, ::1, and IPv4 of these within IPv6. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** True for an address that stands for every one of this machine's: 0.0.0.0, ::, and the first within IPv6. */
export function isAnyAddress(address: string): boolean {
  return ANY.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/**
 * The IP address that a name stands for now, so that what is listened on is what was looked at; loopback is taken only if
 * the name stands for nothing else. Throws `BadRequest` and `Unavailable`.
 */
export async function addressOf(host: string): Promise<string> {
  const bare = host.trim().replace(/^\[(.*)\]$/, "$1");
  if (bare === "") throw new BadRequest("--host is blank; name an address such as 127.0.0.1.");
  if (isIP(bare) !== 0) return bare;
  const found = await lookup(bare, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Unavailable(
      `This address cannot be listened on (${error.code}); choose another --host or --port.`,
    );
  });
  const { address } = found.find((one) => !isLoopback(one.address)) ?? found[0]!; // a lookup without a result has failed
  return address;
}

/**
 * A name as a Host header has it, without a port and in small letters: `book.local`, `192.168.1.5`, `[fe80::1]`. Throws
 * `BadRequest` for anything else, saying what was given too much.
 */
export function hostName(given: string): string {
  const bare = given.replace(/^\[(.*)\]$/, "$1");
  // As browsers write it; a zone is this machine's own matter, and is not sent.
  if (isIP(bare) === 6) return new URL(`http://[${bare.replace(/%.*/, "")}]`).hostname;
  const refuse = (why: string) => {
    throw new BadRequest(
      `--allow-host takes one name or address such as book.local or 192.168.1.5, not "${given}": ${why}.`,
    );
  };
  if (given.trim() === "") refuse("it is blank");
  if (given.includes("*")) refuse("each name is said by itself; a wildcard would let in names of strangers");
  if (/^[a-z][\w+.-]*:\/\//i.test(given)) refuse("leave the scheme out");
  if (/[/?#@]/.test(given)) refuse("leave out whatever is no name");
  if (/:\d*$/.test(given)) refuse("leave the port out; every port counts");
  const name = domainToASCII(given);
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) refuse("it is no name of a machine");
  return name;
}

/**
 * An origin as browsers write it: scheme, host, and the port unless it is the scheme's own. Throws `BadRequest` for anything
 * that is not exactly one origin. Source: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin.
 */
export function webOrigin(given: string): string {
  const refuse = (why: string) => {
    throw new BadRequest(
      `--cors takes one exact origin such as https://editor.example or http://localhost:5173, not "${given}": ${why}.`,
    );
  };
  if (given.trim() === "") refuse("it is blank");
  if (given.includes("*"))
    refuse("each origin is said by itself; a wildcard would let in pages of strangers");
  if (given === "null") refuse("every sandboxed page calls itself that");
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@\\\s,]+)(.*)$/.exec(given);
  if (parts === null || !URL.canParse(given)) return refuse("it needs a scheme and a host, and nothing else");
  const [, scheme = "", host = "", rest = ""] = parts;
  if (rest !== "") refuse(`leave out ${rest}`);
  // Schemes of programs, as app:// and moz-extension://, have an origin that only their browser knows.
  const { origin } = new URL(given);
  if (origin !== "null" && origin !== given) refuse(`browsers write it ${origin}`);
  if (host !== host.toLowerCase()) refuse(`browsers write it ${scheme}${host.toLowerCase()}`);
  return given;
}
