import { GoogleDay, SndsReport } from '../../domain/provider-report.js';

export type ReportSource = 'google' | 'microsoft';

export interface ImportableDomain {
  readonly id: string;
  readonly name: string;
  /** The last day that is stored of it. */
  readonly newestDay: string | undefined;
}

export interface ImportState {
  readonly source: ReportSource;
  readonly succeededAt: Date | undefined;
  /** The account that was asked with, once it was. */
  readonly account: string | undefined;
  /** What the last import that succeeded found. */
  readonly note: string | undefined;
  /** Why the last import did not succeed. */
  readonly trouble: string | undefined;
}

export interface ImportResult {
  readonly nextAt: Date;
  readonly succeededAt?: Date;
  readonly account?: string;
  readonly note?: string;
  readonly trouble?: string;
}

/** Stores what providers say about our mail, and when they are asked again. */
export abstract class ProviderReports {
  /** Whether the source is due, and this process is the one that asks it. Then nobody asks before `nextAt`. */
  abstract claim(source: ReportSource, now: Date, nextAt: Date): Promise<boolean>;

  /** Returns the trouble of the import before. */
  abstract finish(source: ReportSource, result: ImportResult): Promise<string | undefined>;

  /** Those that were asked at least once. */
  abstract states(): Promise<readonly ImportState[]>;

  /** Verified domains with one of these names, at most `max`, in random order. */
  abstract importable(names: readonly string[], max: number): Promise<readonly ImportableDomain[]>;

  /** Verified domains with other names: how many, and the names of the newest `max`. */
  abstract others(
    names: readonly string[],
    max: number,
  ): Promise<{ readonly count: number; readonly names: readonly string[] }>;

  /** Replaces days that are stored already. */
  abstract keepDays(domainId: string, days: readonly GoogleDay[]): Promise<void>;

  /** From the first day up to but not including the last, in their order. */
  abstract daysOf(domainId: string, from: string, to: string): Promise<readonly GoogleDay[]>;

  /** Addresses that are not in the report keep what was said about them before. Blocks are replaced. */
  abstract keepReport(report: SndsReport): Promise<void>;

  /** What is stored, of these addresses alone if some are given; at most 1,000 addresses and blocks. */
  abstract report(addresses?: readonly string[]): Promise<SndsReport>;
}

/** Microsoft SNDS. Nothing of it is asked but by the daily import. */
export abstract class NetworkData {
  abstract readonly isConfigured: boolean;

  /** The newest report on all addresses of the account. Throws `ProviderTrouble`. */
  abstract read(): Promise<SndsReport>;
}

/** An account that domains are shared with. */
export interface PostmasterAccount {
  /** The address that owners of domains invite. */
  readonly email: string;
  /** The domains that are shared with it, in lower case. Throws `ProviderTrouble`. */
  domains(): Promise<readonly string[]>;
  /**
   * The days from the first to the last one that Google has figures of. `not_shared`: Google refuses to tell about this
   * domain. Throws `ProviderTrouble`.
   */
  daysOf(domain: string, first: string, last: string): Promise<readonly GoogleDay[] | 'not_shared'>;
}

/** Google Postmaster Tools. Nothing of it is asked but by the daily import. */
export abstract class PostmasterTools {
  abstract readonly isConfigured: boolean;

  /** Signs in with the key of the operator. Throws `ProviderTrouble`. */
  abstract signIn(): Promise<PostmasterAccount>;
}
