/** What one run of a case measured. The report keeps the median of the runs. */
export interface Measurement {
  readonly name: string;
  /** Version of Node that ran the program. */
  readonly node?: string;
  readonly value: number;
  readonly unit: string;
  /** CPU of the server and its PostgreSQL, in ms per message (or call). */
  readonly cpuMs?: number;
  /** Of one request. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

export interface BenchSettings {
  readonly runs: number;
  /** Messages of 4 KB in one run; cases of larger ones take fewer. */
  readonly messages: number;
  readonly connections: number;
}

/** The programs that a case needs, started. */
export interface BenchRig {
  measure(): Promise<readonly Measurement[]>;
  close(): Promise<void>;
}

/** One row or a few of the report. A case that cannot run here says why with {@link SkippedCase}. */
export interface BenchCase {
  /** As chosen on the command line: `npm run bench -- single smtp`. */
  readonly name: string;
  /** Left out unless chosen: takes many minutes. */
  readonly isLong?: boolean;
  open(settings: BenchSettings): Promise<BenchRig>;
}

export class SkippedCase extends Error {}
