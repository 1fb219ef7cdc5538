import { Injectable } from '@nestjs/common';
import { GoogleDay, SndsActivity, SndsReport } from '../domain/provider-report.js';
import { ImportState, NetworkData, PostmasterTools, ProviderReports } from './ports/provider-reports.port.js';

export interface GoogleReport {
  /** The account that domains are to be shared with; undefined until Google was asked for the first time. */
  readonly account: string | undefined;
  readonly days: readonly GoogleDay[];
}

/** What Microsoft says about one address. */
export interface SndsAddress {
  readonly activity: SndsActivity | undefined;
  /** Why its mail is refused; undefined if it is not. */
  readonly blockedFor: string | undefined;
}

/** What providers themselves say about our mail. Reads nothing where the operator has configured nothing. */
@Injectable()
export class ReadProviderReports {
  constructor(
    private readonly google: PostmasterTools,
    private readonly microsoft: NetworkData,
    private readonly reports: ProviderReports,
  ) {}

  /** Undefined if Google is not asked. */
  async ofDomain(domainId: string, from: string, to: string): Promise<GoogleReport | undefined> {
    if (!this.google.isConfigured) return undefined;
    const [days, states] = await Promise.all([this.reports.daysOf(domainId, from, to), this.reports.states()]);
    return { days, account: states.find(({ source }) => source === 'google')?.account };
  }

  /** In the order of the addresses; undefined where Microsoft reported nothing. */
  async ofAddresses(addresses: readonly string[]): Promise<readonly (SndsAddress | undefined)[]> {
    if (!this.microsoft.isConfigured || addresses.length === 0) return addresses.map(() => undefined);
    const { activity, blocks } = await this.reports.report(addresses);
    return addresses.map((address) => {
      const seen = activity.find((of) => of.address === address);
      // Each block of this report is that of one address.
      const block = blocks.find(({ first }) => first === address);
      return seen === undefined && block === undefined ? undefined : { activity: seen, blockedFor: block?.reason };
    });
  }

  /** All that Microsoft says; undefined if it is not asked. */
  async network(): Promise<SndsReport | undefined> {
    return this.microsoft.isConfigured ? this.reports.report() : undefined;
  }

  /** How the imports of configured sources went. */
  async imports(): Promise<readonly ImportState[]> {
    if (!this.google.isConfigured && !this.microsoft.isConfigured) return [];
    const configured = { google: this.google.isConfigured, microsoft: this.microsoft.isConfigured };
    return (await this.reports.states()).filter(({ source }) => configured[source]);
  }
}
