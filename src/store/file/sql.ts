import type { ACT_SOURCES } from "../../contract/enums.ts";
import type { ActId } from "../../ids.ts";
import type { Statement } from "./driver.ts";

/** The statements of one open file. */
export interface Sql {
  /** The statement for this SQL, prepared once per file. */
  prepare(sql: string): Statement;
  /** The first row, or undefined. The caller states the shape; its SQL proves it. */
  get<Row>(sql: string, ...values: unknown[]): Row | undefined;
  /** The first row as the list of its values, which takes half the time of an object; no other asks with this very SQL. */
  row(sql: string, ...values: unknown[]): unknown[] | undefined;
  /** Every row, in the statement's order. */
  all<Row>(sql: string, ...values: unknown[]): Row[];
  /** The first column of every row, in the statement's order. */
  list<Value>(sql: string, ...values: unknown[]): Value[];
  /** Runs a statement that reads nothing; returns how many rows it changed. */
  run(sql: string, ...values: unknown[]): number;
}

/** One of the sources of an act. */
export type ActSource = (typeof ACT_SOURCES)[number];

/** The act that a write runs in. */
export interface Act {
  readonly seq: number;
  readonly id: ActId;
  /** Milliseconds since 1970; one time for the whole act. */
  readonly at: number;
  readonly source: ActSource;
  /** Words that this act added to and removed from a chapter, for its list of revisions. */
  readonly words: Map<string, { added: number; removed: number }>;
  /** Chapters that get a new revision although no row of their prose changed: a prose write dropped their mentions. */
  readonly revised: Set<string>;
}
