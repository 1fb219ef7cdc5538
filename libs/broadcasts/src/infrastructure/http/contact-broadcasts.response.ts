import { timestamp } from '#platform/http';
import { ApiProperty, Id, IdOrNull, Moment, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';
import { ContactBroadcast, contactResults } from '../../domain/contact-broadcast.js';
import type { ContactResult } from '../../domain/contact-broadcast.js';

export class ContactBroadcastResult {
  @OneOf(...contactResults) type!: ContactResult;
  @Whole() count!: number;
  @Moment() first_at!: string;
}

export class ContactBroadcastResponse {
  @Id() id!: string;
  @TextOrNull() name!: string | null;
  @Text() subject!: string;
  @IdOrNull() email_id!: string | null;
  @TextOrNull() skipped_because!: string | null;
  @ApiProperty({ type: [ContactBroadcastResult] }) results!: ContactBroadcastResult[];
}

export function contactBroadcast(broadcast: ContactBroadcast): ContactBroadcastResponse {
  const { broadcastId, name, subject, emailId, reason, results } = broadcast;
  return {
    id: broadcastId,
    name,
    subject,
    email_id: emailId,
    skipped_because: reason,
    results: results.map(({ type, count, at }) => ({ type, count, first_at: timestamp(at) })),
  };
}
