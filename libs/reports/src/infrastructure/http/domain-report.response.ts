import type { ReportKind } from '#domains';
import { ValidationError } from '#kernel';
import { timestamp } from '#platform/http';
import { ApiProperty, Flag, Id, Moment, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';
import type { LoggedReport } from '../../application/ports/report-log.port.js';

export const kinds: readonly ReportKind[] = ['dmarc', 'tls', 'failure'];

class ReportedFailureResponse {
  @Text() header_from!: string;
  @TextOrNull() source!: string | null;
  @TextOrNull() failure!: string | null;
  @TextOrNull() outcome!: string | null;
  @TextOrNull() dkim_domain!: string | null;
}

export class DomainReportResponse {
  @Id() id!: string;
  @OneOf(...kinds) kind!: ReportKind;
  @TextOrNull() reporter!: string | null;
  @Flag() counted!: boolean;
  @Text() organization!: string;
  @Text() report_id!: string;
  @Moment() begins_at!: string;
  @Moment() ends_at!: string;
  @Moment() received_at!: string;
  @Whole() total!: number;
  @Whole() unusable!: number;
  @ApiProperty({ type: ReportedFailureResponse, nullable: true }) failure!: ReportedFailureResponse | null;
}

export function domainReportResponse(report: LoggedReport): DomainReportResponse {
  const { failure } = report;
  return {
    id: report.id,
    kind: report.kind,
    reporter: report.reporter,
    counted: report.reporter !== null,
    organization: report.organization,
    report_id: report.reportId,
    begins_at: timestamp(report.beginsAt),
    ends_at: timestamp(report.endsAt),
    received_at: timestamp(report.receivedAt),
    total: report.total,
    unusable: report.unusable,
    failure:
      failure === null
        ? null
        : {
            header_from: failure.headerFrom,
            source: failure.source,
            failure: failure.failure,
            outcome: failure.outcome,
            dkim_domain: failure.dkimDomain,
          },
  };
}

export function decodeKind(value: unknown): ReportKind | undefined {
  if (value === undefined || value === '') return undefined;
  const kind = kinds.find((known) => known === value);
  if (kind === undefined) throw new ValidationError('The `kind` must be one of `dmarc`, `tls`, `failure`.');
  return kind;
}
