import { hash } from "node:crypto";
import { connect } from "../../../src/store/file/driver.ts";

/** What a reference server is started with: the manuscript's file, a key that opens it, its book. */
export const [file = "", key = "", bookId = ""] = process.argv.slice(2);

/** The manuscript, as anybody may open it who knows SQLite. */
export const database = connect(file, { readonly: true });

const keys = new Map([[hash("sha256", key), "its writer"]]);

/** Whose key a request has, by its SHA-256: the check that ours makes, too. */
export function holderOf(authorization: string | undefined): string | undefined {
  return authorization?.startsWith("Bearer ") ? keys.get(hash("sha256", authorization.slice(7))) : undefined;
}

/** Tells the parent the port. */
export function reached(address: string | { port: number } | null): void {
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
  process.on("disconnect", () => process.exit());
}
