import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ProviderTrouble } from '../domain/provider-report.js';
import {
  ImportableDomain,
  ImportResult,
  NetworkData,
  PostmasterAccount,
  PostmasterTools,
  ProviderReports,
  ReportSource,
} from './ports/provider-reports.port.js';

const dayMs = 86_400_000;
/** After a failure, and after a process that died. */
const retryMs = 3_600_000;
/** Far below `retryMs`, so that no other process begins while this one imports. */
const maxImportMs = 10 * 60_000;
const maxDomains = 500;
/** Google keeps figures for months, and corrects those of the last days. */
const firstDays = 90;
const correctedDays = 4;
const maxNamed = 10;

export interface NewTrouble {
  readonly source: ReportSource;
  readonly trouble: string;
}

/** Once a day, asks the providers that the operator has access to what they say about our mail. */
@Injectable()
export class ImportProviderReports {
  constructor(
    private readonly google: PostmasterTools,
    private readonly microsoft: NetworkData,
    private readonly reports: ProviderReports,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.google.isConfigured || this.microsoft.isConfigured;
  }

  /** Returns troubles that the operator has not been told yet. */
  async run(): Promise<readonly NewTrouble[]> {
    return [
      ...(this.google.isConfigured ? await this.once('google', () => this.importGoogle()) : []),
      ...(this.microsoft.isConfigured ? await this.once('microsoft', () => this.importMicrosoft()) : []),
    ];
  }

  private async once(source: ReportSource, work: () => Promise<Partial<ImportResult>>): Promise<NewTrouble[]> {
    const now = this.clock.now();
    const retryAt = new Date(now.getTime() + retryMs);
    if (!(await this.reports.claim(source, now, retryAt))) return [];
    try {
      const result = await work();
      await this.reports.finish(source, { ...result, nextAt: new Date(now.getTime() + dayMs), succeededAt: now });
      return [];
    } catch (error) {
      if (!(error instanceof ProviderTrouble)) throw error;
      const before = await this.reports.finish(source, { nextAt: retryAt, trouble: error.message });
      return before === error.message ? [] : [{ source, trouble: error.message }];
    }
  }

  private async importGoogle(): Promise<Partial<ImportResult>> {
    const givesUpAt = this.clock.now().getTime() + maxImportMs;
    const account = await this.google.signIn();
    const shared = await account.domains();
    const domains = await this.reports.importable(shared, maxDomains);
    const refused: string[] = [];
    let asked = 0;
    for (const domain of domains) {
      if (this.clock.now().getTime() > givesUpAt) break;
      asked += 1;
      if (!(await this.importDomain(account, domain))) refused.push(domain.name);
    }
    const others = await this.reports.others(shared, maxNamed);
    return { account: account.email, note: noteOf({ asked, refused, others, account: account.email }) };
  }

  private async importDomain(account: PostmasterAccount, { id, name, newestDay }: ImportableDomain): Promise<boolean> {
    const today = this.clock.now();
    const oldest = dayOf(new Date(today.getTime() - firstDays * dayMs));
    const again = newestDay === undefined ? oldest : dayOf(new Date(Date.parse(newestDay) - correctedDays * dayMs));
    const first = again > oldest ? again : oldest;
    const told = await account.daysOf(name, first, dayOf(today));
    if (told === 'not_shared') return false;
    // Further days would be without number, and one in the future would keep the next import from asking for others.
    const days = told.filter(({ day }) => day >= first && day <= dayOf(today));
    if (days.length > 0) await this.reports.keepDays(id, days);
    return true;
  }

  private async importMicrosoft(): Promise<Partial<ImportResult>> {
    const { activity, blocks } = await this.microsoft.read();
    // What is newest stays, so a day in the future would stay for ever. Days of Microsoft may begin before ours.
    const tomorrow = dayOf(new Date(this.clock.now().getTime() + dayMs));
    await this.reports.keepReport({ activity: activity.filter(({ day }) => day <= tomorrow), blocks });
    return {};
  }
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

function noteOf(found: {
  readonly asked: number;
  readonly refused: readonly string[];
  readonly others: { readonly count: number; readonly names: readonly string[] };
  readonly account: string;
}): string {
  const { asked, refused, others, account } = found;
  const count = refused.length + others.count;
  const names = [...refused, ...others.names].slice(0, maxNamed);
  const told = `told about ${asked - refused.length} of our verified domains`;
  if (count === 0) return told;
  const more = count > names.length ? ' and others' : '';
  return `${told}; ${count} are not shared with ${account}: ${names.join(', ')}${more}`;
}
