import { ReadProviderReports } from '#provider-reports';
import type { ImportState } from '#provider-reports';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

const names = { google: 'Google Postmaster Tools', microsoft: 'Microsoft SNDS' } as const;
/** Older figures say nothing about today. */
const recentMs = 7 * 86_400_000;
const maxFindings = 100;

/** How the imports of what providers say went, and what Microsoft says about addresses. No finding where none is configured. */
@Injectable()
export class ProviderReportsCheck extends DoctorCheck {
  readonly name = 'Provider reports';

  constructor(
    private readonly reports: ReadProviderReports,
    private readonly clock: Clock,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const imports = await this.reports.imports();
    return [...imports.map(importFinding), ...(await this.ofNetwork())];
  }

  private async ofNetwork(): Promise<readonly DoctorFinding[]> {
    const { activity, blocks } = (await this.reports.network()) ?? { activity: [], blocks: [] };
    const since = new Date(this.clock.now().getTime() - recentMs).toISOString().slice(0, 10);
    return [
      ...blocks.map(({ first, last, reason }) =>
        red(
          `is blocked by Microsoft${reason === '' ? '' : `: ${reason}`}`,
          'Find and stop what led to it, then ask for its removal at https://olcsupport.office.com/.',
          first === last ? first : `${first} – ${last}`,
        ),
      ),
      ...activity
        .filter(({ day, filter, trapHits }) => day >= since && (filter !== 'green' || trapHits > 0))
        .map(({ address, day, filter, complaintRate, trapHits }) =>
          yellow(
            `has the filter result ${filter} of Microsoft on ${day}, complaints ${complaintRate ?? 'not known'}, spam traps hit ${trapHits}`,
            'Look at the insights of the domains that send from it, at who complains, and at where the addresses come from.',
            address,
          ),
        ),
    ].slice(0, maxFindings);
  }
}

function importFinding({ source, succeededAt, note, trouble }: ImportState): DoctorFinding {
  const name = names[source];
  if (trouble !== undefined) return yellow(trouble, `It is tried again every hour. ${lastOf(succeededAt)}`, name);
  return green(`${note ?? 'was imported'}. ${lastOf(succeededAt)}`, name);
}

const lastOf = (succeededAt: Date | undefined): string =>
  succeededAt === undefined ? 'It has not succeeded yet.' : `The last import was at ${succeededAt.toISOString()}.`;
