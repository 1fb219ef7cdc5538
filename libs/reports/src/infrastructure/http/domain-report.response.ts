import type { ReportKind } from '#domains';
import { ValidationError } from '#kernel';
import { toResponse } from '#http/server';
import { Field, Flag, Id, Moment, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import type { LoggedReport } from '../../application/ports/report-log.port.js';

export const kinds: readonly ReportKind[] = ['dmarc', 'tls', 'failure'];

@Shape('What a report says about one message. Nothing else of the message is kept.')
class ReportedFailureResponse {
  @Text('Domain in the From field.') header_from!: string;
  @TextOrNull('IP address of the sender.') source!: string | null;
  @TextOrNull('What failed, such as `dmarc`.') failure!: string | null;
  @TextOrNull('What the receiver did with the message.') outcome!: string | null;
  @TextOrNull('Domain of the signature.') dkim_domain!: string | null;
}

@Shape('A report about a domain.')
export class DomainReportResponse {
  @Id('Id of the report.', '0193a1f6-1b7e-7d25-9c48-e1a5f7306b2d') id!: string;
  @OneOf(kinds, '`dmarc`: an aggregate report. `tls`: a TLS report. `failure`: a report on one message.', 'dmarc')
  kind!: ReportKind;
  @TextOrNull('Domain that sent it, proven by SPF or DKIM; null if nothing proves it.', 'mailbox.example')
  reporter!: string | null;
  @Flag('Whether it counts.', true) counted!: boolean;
  @Text('Name of the organisation, as the report gives it.', 'Mailbox Example') organization!: string;
  @Text('Id that the reporter gave it.', '13209478352094') report_id!: string;
  @Moment('Start of the period that it covers.', '2026-11-29 00:00:00+00') begins_at!: string;
  @Moment('End of the period that it covers.', '2026-11-29 23:59:59+00') ends_at!: string;
  @Moment('When it came.', '2026-11-30 04:12:45.3+00') received_at!: string;
  @Whole('Messages or sessions in it.', 612) total!: number;
  @Whole('Records of it that could not be used.', 0) unusable!: number;
  @Field('The message that failed; null for other kinds.', { type: ReportedFailureResponse, nullable: true }, null)
  failure!: ReportedFailureResponse | null;
}

export const domainReportResponse = (report: LoggedReport): DomainReportResponse =>
  toResponse(DomainReportResponse, report, {
    counted: report.reporter !== null,
    failure: report.failure === null ? null : toResponse(ReportedFailureResponse, report.failure),
  });

export function decodeKind(value: unknown): ReportKind | undefined {
  if (value === undefined || value === '') return undefined;
  const kind = kinds.find((known) => known === value);
  if (kind === undefined) throw new ValidationError('The `kind` must be one of `dmarc`, `tls`, `failure`.');
  return kind;
}
