import { PermissionsOf, TeamId } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse } from '#http/server';
import { Describes, Operation, Pages, PathId, QueryParameter, Refuses, Responses, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ListReports } from '../../application/domain-reports.query.js';
import { ReadDmarc } from '../../application/read-dmarc.query.js';
import { ReadTlsReports } from '../../application/read-tls-reports.query.js';
import { defaultDays, maxDays, parseDays } from '../../domain/report.js';
import { DmarcResponse, dmarcResponse, domainId } from './dmarc.response.js';
import { decodeKind, DomainReportResponse, domainReportResponse, kinds } from './domain-report.response.js';
import { TlsReportsResponse, tlsReportsResponse } from './tls-reports.response.js';

interface ReportsQuery {
  readonly days?: unknown;
  readonly kind?: unknown;
  readonly limit?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
}

/** Additions of Postrider: what other mail servers report about a domain. */
@Controller('domains/:id')
@Describes('Domains')
@PathId('id', 'Id of the domain.', domainId, 'Domain')
@PermissionsOf('domains')
export class DomainReportsController {
  constructor(
    private readonly readDmarc: ReadDmarc,
    private readonly readTlsReports: ReadTlsReports,
    private readonly listReports: ListReports,
  ) {}

  @Get('dmarc')
  @Operation(
    'See who sends as a domain',
    'What mail receivers report about mail with this domain in its From field: who sends it, how much of ' +
      'it passes DMARC, which senders are this service, and whether a stricter policy is safe. Sources with ' +
      'the most messages come first. An addition of Postrider.',
  )
  @QueryParameter(
    'days',
    'Number of days, today included, from 1 to 90.',
    { type: 'integer', minimum: 1, maximum: maxDays, default: defaultDays },
    30,
  )
  @Pages({ cursor: '192.0.2.10' })
  @Responses(DmarcResponse, 'The reports of the period, added up.')
  @Refuses(() => [() => parseDays('0')])
  async getDomainDmarc(@TeamId() teamId: string, @Param('id') id: string, @Query() query: ReportsQuery) {
    const page = parsePageRequest(query);
    return dmarcResponse(await this.readDmarc.read(teamId, id, parseDays(query.days), page));
  }

  @Get('tls-reports')
  @Operation(
    'See how mail to a domain is encrypted',
    'What other mail servers report about their TLS connections to the mail hosts of a domain (RFC 8460), ' +
      'with advice on each result. Results with the most sessions come first. An addition of Postrider.',
  )
  @QueryParameter(
    'days',
    'Number of days, today included, from 1 to 90.',
    { type: 'integer', minimum: 1, maximum: maxDays, default: defaultDays },
    30,
  )
  @Pages({ cursor: '5d41402abc4b2a76b9719d911017c592' })
  @Responses(TlsReportsResponse, 'The reports of the period, added up.')
  @Refuses(() => [() => parseDays('0')])
  async getDomainTlsReports(@TeamId() teamId: string, @Param('id') id: string, @Query() query: ReportsQuery) {
    const page = parsePageRequest(query);
    const days = parseDays(query.days);
    return tlsReportsResponse(await this.readTlsReports.read(teamId, id, days, page));
  }

  @Get('reports')
  @Operation(
    'List the reports about a domain',
    'The reports that came for a domain, newest first, in pages. A report whose sender is not proven by ' +
      'SPF or DKIM is listed and not counted. An addition of Postrider.',
  )
  @QueryParameter('kind', 'Only reports of this kind.', { enum: kinds }, 'dmarc')
  @ResponsesList(DomainReportResponse, 'A page of reports.')
  @Refuses(() => [() => decodeKind('fax')])
  async listDomainReports(@TeamId() teamId: string, @Param('id') id: string, @Query() query: ReportsQuery) {
    const page = parsePageRequest(query);
    const kind = decodeKind(query.kind);
    return listResponse(await this.listReports.list(teamId, id, page, kind), domainReportResponse);
  }
}
