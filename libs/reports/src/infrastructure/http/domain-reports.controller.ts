import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, Responses, ResponsesList } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ListReports } from '../../application/list-reports.query.js';
import { ReadDmarc } from '../../application/read-dmarc.query.js';
import { ReadTlsReports } from '../../application/read-tls-reports.query.js';
import { defaultDays, maxDays, parseDays } from '../../domain/report-period.js';
import { DmarcResponse, dmarcResponse } from './dmarc.response.js';
import { decodeKind, DomainReportResponse, domainReportResponse, kinds } from './domain-report.response.js';
import { TlsReportsResponse, tlsReportsResponse } from './tls-reports.response.js';

interface ReportsQuery {
  readonly days?: unknown;
  readonly kind?: unknown;
  readonly limit?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
}

const Days = (): MethodDecorator =>
  ApiQuery({
    name: 'days',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: maxDays, default: defaultDays },
  });
const Page = (): MethodDecorator => (target, key, descriptor) => {
  ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } })(
    target,
    key,
    descriptor,
  );
  ApiQuery({ name: 'after', required: false, schema: { type: 'string' } })(target, key, descriptor);
  ApiQuery({ name: 'before', required: false, schema: { type: 'string' } })(target, key, descriptor);
};

/** Additions of Postrider: what other mail servers report about a domain. */
@Controller('domains/:id')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/domain-reports.description.js'))
export class DomainReportsController {
  constructor(
    private readonly readDmarc: ReadDmarc,
    private readonly readTlsReports: ReadTlsReports,
    private readonly listReports: ListReports,
  ) {}

  @Get('dmarc')
  @Requires('domains:read')
  @Days()
  @Page()
  @Responses(DmarcResponse)
  async dmarc(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: ReportsQuery,
  ): Promise<DmarcResponse> {
    const page = parsePageRequest(query);
    return dmarcResponse(await this.readDmarc.execute(teamId, idFromPath('id', id), parseDays(query.days), page));
  }

  @Get('tls-reports')
  @Requires('domains:read')
  @Days()
  @Page()
  @Responses(TlsReportsResponse)
  async tlsReports(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: ReportsQuery,
  ): Promise<TlsReportsResponse> {
    const page = parsePageRequest(query);
    const days = parseDays(query.days);
    return tlsReportsResponse(await this.readTlsReports.execute(teamId, idFromPath('id', id), days, page));
  }

  @Get('reports')
  @Requires('domains:read')
  @ApiQuery({ name: 'kind', required: false, enum: kinds })
  @ResponsesList(DomainReportResponse)
  async reports(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: ReportsQuery,
  ): Promise<ListResponse<DomainReportResponse>> {
    const page = parsePageRequest(query);
    const kind = decodeKind(query.kind);
    return listResponse(await this.listReports.execute(teamId, idFromPath('id', id), page, kind), domainReportResponse);
  }
}
