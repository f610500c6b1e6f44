import { isRank, journalled, type TableName } from "../schema/tables.ts";

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

/** The columns that a step puts back: those that the act changed, a place only if nothing has moved the row since. */
export function changedColumns({ table, before, after, now }: RowStep): string[] {
  return journalled(table).filter(
    (column) =>
      before?.[column] !== after?.[column] && (!isRank(table, column) || now?.[column] === after?.[column]),
  );
}
