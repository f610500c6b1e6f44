/** What one write took, on average. */
export interface Taken {
  /** User and system. */
  cpuUs: number;
  /** Of that the system's; NaN for a server. */
  systemUs: number;
  wallUs: number;
  /** To files; NaN where the system does not count them. */
  writtenBytes: number;
}
