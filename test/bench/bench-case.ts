/** The measurements of one run of a case. The report keeps the median of the runs. */
export interface Measurement {
  readonly name: string;
  /** Version of Node that ran the program. */
  readonly node?: string;
  readonly value: number;
  readonly unit: string;
  /** CPU of the server and its PostgreSQL, in ms per message (or call). */
  readonly cpuMs?: number;
  /** Latency of one request. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

export interface BenchSettings {
  readonly runs: number;
  /** Messages of 4 KB in one run; cases with larger messages send fewer. */
  readonly messages: number;
  readonly connections: number;
}

/** The started programs that a case needs. */
export interface BenchRig {
  measure(): Promise<readonly Measurement[]>;
  close(): Promise<void>;
}

/** Produces one or more rows of the report. A case that cannot run here throws {@link SkippedCase} with the reason. */
export interface BenchCase {
  /** The name on the command line: `npm run bench -- single smtp`. */
  readonly name: string;
  /** Skipped unless chosen, because it takes many minutes. */
  readonly isLong?: boolean;
  /** Repeats its measurements by itself, so that one run is enough. */
  readonly runsOnce?: boolean;
  open(settings: BenchSettings): Promise<BenchRig>;
}

export class SkippedCase extends Error {}
