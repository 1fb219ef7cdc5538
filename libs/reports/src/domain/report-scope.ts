import { DmarcRow, DomainReport, TlsRow, UnusableReportError } from './report.js';

const dayMs = 86_400_000;
/** Reports come a day late, some days after trouble of the reporter. */
const maxAgeMs = 14 * dayMs;
/** Reporters send every hour to every day; a week after an outage. */
const maxPeriodMs = 8 * dayMs;
/** How far a reporter's clock may be ahead of ours. */
const maxAheadMs = dayMs;

/**
 * The report with only what is about this domain. A report may be about a whole zone, of which the domain is a part,
 * since a domain without a policy inherits that of its zone. Throws UnusableReportError for a report about another
 * domain, or about a time that cannot be.
 */
export function scopedTo<Report extends DomainReport>(report: Report, domain: string, zone: string, now: Date): Report {
  checkPeriod(report, now);
  switch (report.kind) {
    case 'dmarc': {
      if (!isWithin(report.policyDomain, zone) && !isWithin(zone, report.policyDomain)) throw aboutAnother();
      const rows = report.rows.filter(({ headerFrom }) => isWithin(headerFrom, domain));
      if (rows.length === 0 && report.rows.length > 0) throw aboutAnother();
      return { ...report, rows, unusable: report.unusable + countOf(report.rows) - countOf(rows) };
    }
    case 'tls': {
      const rows = report.rows.filter(({ policyDomain }) => isWithin(policyDomain, domain));
      if (rows.length === 0 && report.rows.length > 0) throw aboutAnother();
      return { ...report, rows };
    }
    case 'failure':
      if (!isWithin(report.headerFrom, domain)) throw aboutAnother();
      return report;
  }
}

/** Whether `name` is `domain` or a name below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

function checkPeriod({ beginsAt, endsAt }: DomainReport, now: Date): void {
  const [begin, end, at] = [beginsAt.getTime(), endsAt.getTime(), now.getTime()];
  if (end < begin || end - begin > maxPeriodMs) throw new UnusableReportError('The period of the report is not valid');
  if (begin < at - maxAgeMs || end > at + maxAheadMs) {
    throw new UnusableReportError('The report is about a time that is too long ago or in the future');
  }
}

function aboutAnother(): UnusableReportError {
  return new UnusableReportError('The report is about another domain than the one of this address');
}

function countOf(rows: readonly (DmarcRow | TlsRow)[]): number {
  return rows.length;
}
