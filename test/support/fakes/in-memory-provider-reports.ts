import {
  ImportableDomain,
  ImportResult,
  ImportState,
  ProviderReports,
  ReportSource,
} from '../../../libs/provider-reports/src/application/ports/provider-reports.port.js';
import { GoogleDay, SndsReport } from '../../../libs/provider-reports/src/domain/provider-report.js';

/** What providers say, in memory. `domains` are the verified ones. */
export class InMemoryProviderReports extends ProviderReports {
  domains: readonly { readonly id: string; readonly name: string }[] = [];
  readonly days = new Map<string, readonly GoogleDay[]>();
  stored: SndsReport = { activity: [], blocks: [] };
  reads = 0;
  private readonly imports = new Map<ReportSource, ImportState & { readonly nextAt: Date }>();

  async claim(source: ReportSource, now: Date, nextAt: Date): Promise<boolean> {
    const known = this.imports.get(source);
    if (known !== undefined && known.nextAt > now) return false;
    const fresh = { source, succeededAt: undefined, account: undefined, note: undefined, trouble: undefined };
    this.imports.set(source, { ...(known ?? fresh), nextAt });
    return true;
  }

  async finish(source: ReportSource, { trouble, ...result }: ImportResult): Promise<string | undefined> {
    const known = this.imports.get(source);
    if (known !== undefined) this.imports.set(source, { ...known, ...result, trouble });
    return known?.trouble;
  }

  async states(): Promise<readonly ImportState[]> {
    this.reads += 1;
    return [...this.imports.values()];
  }

  async importable(names: readonly string[], max: number): Promise<readonly ImportableDomain[]> {
    return this.domains
      .filter(({ name }) => names.includes(name))
      .slice(0, max)
      .map((domain) => ({ ...domain, newestDay: this.days.get(domain.id)?.at(-1)?.day }));
  }

  async others(names: readonly string[], max: number): Promise<{ count: number; names: readonly string[] }> {
    const others = this.domains.map(({ name }) => name).filter((name) => !names.includes(name));
    return { count: others.length, names: others.slice(0, max) };
  }

  async keepDays(domainId: string, days: readonly GoogleDay[]): Promise<void> {
    const kept = (this.days.get(domainId) ?? []).filter(({ day }) => !days.some((each) => each.day === day));
    this.days.set(
      domainId,
      [...kept, ...days].sort((a, b) => (a.day < b.day ? -1 : 1)),
    );
  }

  async daysOf(domainId: string, from: string, to: string): Promise<readonly GoogleDay[]> {
    this.reads += 1;
    return (this.days.get(domainId) ?? []).filter(({ day }) => day >= from && day < to);
  }

  async keepReport(report: SndsReport): Promise<void> {
    this.stored = report;
  }

  async report(): Promise<SndsReport> {
    this.reads += 1;
    return this.stored;
  }
}
