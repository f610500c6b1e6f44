import type { TableName } from "../schema/tables.ts";

/** A row's journalled columns by name; null if the row does not exist. */
export type RowImage = Readonly<Record<string, string | number | null>> | null;

/** What undoing does to one row: from `after`, as the act left it, to `before`, as the act found it. */
export interface RowStep {
  table: TableName;
  id: string;
  before: RowImage;
  after: RowImage;
  now: RowImage;
}
