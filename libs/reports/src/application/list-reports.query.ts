import { ReportedDomains } from '#domains';
import type { ReportKind } from '#domains';
import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { LoggedReport, ReportLog } from './ports/report-log.port.js';

/** Lists the reports that came for a domain. */
@Injectable()
export class ListReports {
  constructor(
    private readonly domains: ReportedDomains,
    private readonly log: ReportLog,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async list(
    teamId: string,
    domainId: string,
    page: PageRequest,
    kind: ReportKind | undefined,
  ): Promise<Page<LoggedReport>> {
    const { id } = found('Domain', await this.domains.find(teamId, domainId));
    return this.log.list(id, page, kind);
  }
}
