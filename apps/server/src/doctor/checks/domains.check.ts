import { DiagnosedRecord, InspectDomains } from '#domains';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

/** Checks SPF, DKIM, return path and DMARC of every domain in the DNS. */
@Injectable()
export class DomainsCheck extends DoctorCheck {
  readonly name = 'Domains';
  /** It asks about all domains, and their teams are told by webhooks and in the dashboard. */
  override readonly isWatched = false;

  constructor(private readonly inspectDomains: InspectDomains) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const findings: DoctorFinding[] = [];
    for await (const { domain, records } of this.inspectDomains.inspectAll()) {
      const wrong = records.filter((record) => record.advice !== undefined);
      // A domain whose verification was never started is not an error.
      if (domain.status === 'not_started') findings.push(green('is not verified yet', domain.name));
      else if (wrong.length === 0) findings.push(green('has all its records', domain.name));
      else findings.push(...wrong.map((record) => this.finding(domain.name, record)));
    }
    return findings.length === 0 ? [green('no domain exists yet')] : findings;
  }

  private finding(name: string, { view, host, required, check, advice = '' }: DiagnosedRecord): DoctorFinding {
    const text = `the ${view.record} ${view.type} record at ${host} is ${check?.mistake ?? 'not known'}`;
    return required && check?.mistake !== undefined ? red(text, advice, name) : yellow(text, advice, name);
  }
}
