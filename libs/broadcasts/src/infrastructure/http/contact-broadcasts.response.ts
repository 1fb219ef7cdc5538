import { timestamp, toResponse } from '#http/server';
import { Id, IdOrNull, ListOf, Moment, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import { ContactBroadcast, type ContactResult, contactResults } from '../../domain/statistics.js';
import { broadcastId } from './example-ids.js';

@Shape('One kind of thing that happened.')
export class ContactBroadcastResult {
  @OneOf(contactResults, 'What happened. Opens and clicks of machines do not count.', 'sent') type!: ContactResult;
  @Whole('How often it happened.', 1) count!: number;
  @Moment('When it happened first.', '2026-11-30 20:45:02.1+00') first_at!: string;
}

@Shape('A broadcast as one contact got it.')
export class ContactBroadcastResponse {
  @Id('Id of the broadcast.', broadcastId) id!: string;
  @TextOrNull('Name of the broadcast; null if it has none.', 'November news') name!: string | null;
  @Text('Subject of the broadcast, with its tags.', 'News for {{{FIRST_NAME|you}}}') subject!: string;
  @IdOrNull(
    'Id of the email to the contact; null if it got none. It may be older than what is kept.',
    '0193a1f8-5a6b-7c7d-8e8f-9a0b1c2d3e4f',
  )
  email_id!: string | null;
  @TextOrNull('Why the contact got no email, such as `unsubscribed`; null if it got one.')
  skipped_because!: string | null;
  @ListOf(ContactBroadcastResult, 'What happened with the email, in the order in which it happened first.', [
    { type: 'sent', count: 1, first_at: '2026-11-30 20:45:02.1+00' },
    { type: 'opened', count: 3, first_at: '2026-11-30 20:45:02.1+00' },
  ])
  results!: ContactBroadcastResult[];
}

export const contactBroadcast = (broadcast: ContactBroadcast): ContactBroadcastResponse =>
  toResponse(ContactBroadcastResponse, broadcast, {
    id: broadcast.broadcastId,
    skipped_because: broadcast.reason,
    results: broadcast.results.map(({ type, count, at }) => ({ type, count, first_at: timestamp(at) })),
  });
