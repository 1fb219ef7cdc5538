import { toResponse } from '#http/server';
import { Always, Amount, Field, Flag, Id, ListOf, Moment, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import { AudienceHealth, healthFindings, healthStatuses } from '../../domain/audience-health.js';
import { broadcastId, importId } from './example-ids.js';

@Shape('The document that the rule of a finding comes from.')
export class HealthSourceResponse {
  @Text('Its title.', 'Google: Email sender guidelines') title!: string;
  @Field('Its address.', { format: 'uri' }, 'https://support.google.com/a/answer/81126') url!: string;
}

@Shape('What one look at the audience says.')
export class HealthFindingResponse {
  @OneOf(healthFindings, 'Name of the finding; it does not change.', 'suppressed') id!: string;
  @OneOf(
    healthStatuses,
    '`warning`: it is likely to harm the delivery of your mail. `advice`: it may. `not_measured`: fewer than 100 ' +
      'contacts, or what it needs is not known.',
    'advice',
  )
  status!: string;
  @Whole('The contacts that it is about.', 480) contacts!: number;
  @Whole('The contacts that these are a share of.', 20_000) of!: number;
  @Amount('The share in percent.', 2.4) percent!: number;
  @Text('What was seen.', '480 of 20,000 contacts (2.4%) bounced before (450) or complained (30). They get nothing.')
  evidence!: string;
  @TextOrNull(
    'What to do; null if there is nothing to do.',
    'Find out where they came from, and leave out others of the same origin: they are likely to bounce too.',
  )
  fix!: string | null;
  @Field('Where the rule comes from.', { type: HealthSourceResponse }) source!: HealthSourceResponse;
}

@Shape('A recent import by which contacts of the audience came.')
export class HealthImportResponse {
  @Id('Id of the import.', importId) id!: string;
  @TextOrNull('Name of its file; null if the client gave none.', 'customers.csv') file_name!: string | null;
  @Moment('When the file was accepted.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Whole('Contacts that would get the broadcast, and came by it.', 1_150) contacts!: number;
}

@Shape('What speaks for and against sending a broadcast to its audience.')
export class AudienceHealthResponse {
  @Always('audience_health') object!: 'audience_health';
  @Id('Id of the broadcast.', broadcastId) broadcast_id!: string;
  @Whole('Contacts in the segment.', 20_000) members!: number;
  @Whole('Those of them who would get the broadcast now.', 18_300) recipients!: number;
  @Whole('Contacts that were looked at.', 20_000) measured!: number;
  @Flag('Whether they are a sample of the segment, from which all numbers are estimated.', false) estimated!: boolean;
  @ListOf(HealthFindingResponse, 'The worst first.') findings!: readonly HealthFindingResponse[];
  @ListOf(HealthImportResponse, 'The five largest imports of the last 30 days, the largest first.')
  imports!: readonly HealthImportResponse[];
}

export const audienceHealthResponse = (id: string, health: AudienceHealth): AudienceHealthResponse =>
  toResponse(AudienceHealthResponse, health, {
    broadcast_id: id,
    estimated: health.isEstimated,
    findings: health.findings.map((finding) => ({ ...finding })),
    imports: health.imports.map((one) => toResponse(HealthImportResponse, one)),
  });
