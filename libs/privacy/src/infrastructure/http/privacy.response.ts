import { toResponse } from '#http/server';
import { Always, Field, Flag, Id, IdOrNull, Moment, MomentOrNull, OneOf, Shape, Text } from '#http/openapi';
import type { Erasure } from '../../domain/erasure.js';

export const erasureId = '0193a1f9-6b7c-7d8e-9f9a-0b1c2d3e4f5a';

const records = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

@Shape('Who asked for an erasure.')
class ErasureActorResponse {
  @OneOf(['api_key', 'user', 'service'], 'An API key, a user, or the service itself.', 'api_key') kind!: string;
  @IdOrNull('Its id; null for the service.', '0193a1f0-0a1b-7c2d-8e3f-4a5b6c7d8e9f') id!: string | null;
}

@Shape('An erasure.')
export class ErasureSummaryResponse {
  @Id('Id of the erasure.', erasureId) id!: string;
  @OneOf(['pending', 'completed'], 'Whether everything is erased.', 'pending') status!: Erasure['status'];
  @Flag('Whether mail to the address is still being delivered. It is erased afterwards.', false) waiting!: boolean;
  @Text(
    'A keyed hash of the address, as in the suppression list. The address itself is not kept.',
    'hmac:3q2-7wS9bGx2Qk0vJ8mYtE1nR5cUoZpXaLdFhKiVwTs',
  )
  address_hash!: string;
  @Field(
    'Number of records from which something was erased, by list.',
    { type: 'object', additionalProperties: { type: 'integer' } },
    {},
  )
  counts!: Erasure['counts'];
  @Field('Who asked for it.', { type: ErasureActorResponse }) actor!: ErasureActorResponse;
  @Moment('When it was asked for.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @MomentOrNull('When everything was erased; null before.') completed_at!: string | null;
}

@Shape('An erasure.')
export class ErasureResponse extends ErasureSummaryResponse {
  @Always('erasure') object!: 'erasure';
}

@Shape('What is stored about an address. The records have the names of the API.')
export class PrivacyExportResponse {
  @Always('privacy_export') object!: 'privacy_export';
  @Text('The address, in lower case.', 'ada@customer.example') email!: string;
  @Moment('When the export began.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Field('Changes in the audit log that name the address.', records, []) audit!: object[];
  @Field('Runs of automations for the address, with the payloads of their events.', records, []) automations!: object[];
  @Field('The broadcasts that the address was meant for, and what became of them.', records, [])
  broadcasts!: object[];
  @Field('When the contact was last sent something, opened it and clicked.', records, [])
  contact_activity!: object[];
  @Field('Refused rows of imported files that name the address.', records, []) contact_imports!: object[];
  @Field('The contact, with its properties, segments, topics and history.', records, [
    { email: 'ada@customer.example', first_name: 'Ada' },
  ])
  contacts!: object[];
  @Field('The emails to the address, with their bodies, events, delivery attempts and reports.', records, [])
  emails!: object[];
  @Field('Events of contacts and suppressions with the address.', records, []) events!: object[];
  @Field('Received mail that routes forwarded to the address.', records, []) forwards!: object[];
  @Field(
    'Emails and drafts in inboxes that name the address. The emails stand under `emails` and `received` as well.',
    records,
    [],
  )
  inboxes!: object[];
  @Field('API requests that name the address.', records, []) logs!: object[];
  @Field(
    'Mail that was received from the address (`as` is `author`), and mail of others that names it (`recipient`).',
    records,
    [],
  )
  received!: object[];
  @Field('Messages of the sandbox that name the address.', records, []) sandbox!: object[];
  @Field('Its entry in the suppression list.', records, []) suppressions!: object[];
  @Field('Answers of webhook endpoints that name the address.', records, []) webhooks!: object[];
}

export const erasureSummary = (erasure: Erasure): ErasureSummaryResponse =>
  toResponse(ErasureSummaryResponse, erasure, {
    waiting: erasure.isWaiting,
    actor: { kind: erasure.actor.kind, id: 'id' in erasure.actor ? erasure.actor.id : null },
  });
