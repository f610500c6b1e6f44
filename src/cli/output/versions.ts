import { release } from "node:os";
import { print, type Terminal } from "../io/terminal.ts";

/** Prints what a report of a fault should name: the program, and all that it stands on. Throws `Unavailable` where SQLite does not load. */
export async function printVersions(terminal: Terminal, program: string, json: boolean): Promise<void> {
  const { sqliteVersion } = await import("../../store/file/driver.ts");
  const { VERSIONS } = await import("../../store/file/migrate.ts");
  const versions = {
    manuscript: program,
    node: process.versions.node,
    sqlite: sqliteVersion(),
    format: VERSIONS.length,
    system: `${process.platform} ${process.arch}, ${release()}`,
  };
  const { manuscript, node, sqlite, format, system } = versions;
  const lines = `manuscript ${manuscript}\nNode ${node}\nSQLite ${sqlite}\nfile format ${format}\n${system}\n`;
  await print(terminal, json ? `${JSON.stringify(versions)}\n` : lines);
}
