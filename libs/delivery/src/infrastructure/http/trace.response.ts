import {
  Always,
  Amount,
  Field,
  Flag,
  Id,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  OptionalText,
  Shape,
  Text,
  TextOrNull,
} from '#http/openapi';
import { emailId } from './example-ids.js';

const fromOne = { type: 'integer', minimum: 1 };
const milliseconds = { type: 'number', minimum: 0 };
const phases = ['dns', 'connect', 'greeting', 'ehlo', 'tls', 'auth', 'mail', 'data', 'reply'];

@Shape('An event of an email.')
export class TraceEvent {
  @Field('Number of the event within its email, from 1.', fromOne, 1) seq!: number;
  @Text('What happened, such as `email.delivered`.', 'email.sent') type!: string;
  @Moment('When it happened.') created_at!: string;
  @Field('Details, by type of event.', { type: ['object', 'null'], additionalProperties: true }, null)
  data!: Readonly<Record<string, unknown>> | null;
}

@Shape('A report that came back by mail.')
export class TraceReport {
  @Moment('When it came.') received_at!: string;
  @Text('Kind of report: on delivery, or a complaint.') kind!: string;
  @TextOrNull('Who reported.') reporter!: string | null;
  @TextOrNull('Action of a delivery report (RFC 3464), such as `failed`.') action!: string | null;
  @TextOrNull('Enhanced status code of a delivery report.') status!: string | null;
  @TextOrNull('Kind of refusal or complaint.') category!: string | null;
  @TextOrNull('Diagnostic text of the remote server.') diagnostic!: string | null;
  @Text('The consequence of the report; `none` if there was none.') effect!: string;
}

@Shape('A reply of an SMTP server.')
export class TraceReply {
  @Field('Reply code, such as 250.', { type: 'integer', minimum: 0 }, 451) code!: number;
  @TextOrNull('Enhanced status code (RFC 3463), such as `2.1.5`.', '4.7.1') enhanced_code!: string | null;
  @TextOrNull('Text, cut to 1 KB.', 'Greylisted, please try again later') text!: string | null;
}

@Shape('Encryption of a connection.')
export class TraceTls {
  @OneOf(
    ['dane', 'mta-sts', 'verified', 'opportunistic', 'none'],
    'How the host was verified. `opportunistic`: not at all. `none`: the connection was not encrypted.',
    'opportunistic',
  )
  level!: string;
  @OptionalText('Version, such as `TLSv1.3`; absent without encryption.', 'TLSv1.3') protocol?: string;
  @OptionalText('Cipher suite; absent without encryption.', 'TLS_AES_256_GCM_SHA384') cipher?: string;
  @Flag('Whether the certificate passed the check of its level.', true) authorized!: boolean;
  @TextOrNull('Why the certificate failed the check.') certificate_error!: unknown;
  @TextOrNull('Why the connection was not encrypted.') plaintext_reason!: unknown;
  @TextOrNull('Why an MTA-STS policy in testing mode would have refused the connection.')
  policy_failure!: unknown;
}

@Shape('One attempt to deliver.')
export class TraceAttempt {
  @Field('Number of the attempt, from 1.', fromOne, 1) attempt!: number;
  @Moment('When it began.', '2026-11-30 20:40:00.1+00') started_at!: string;
  @Field('How long it took, in milliseconds.', milliseconds, 812) duration_ms!: number;
  @OneOf(['delivered', 'deferred', 'bounced'], 'The outcome.', 'deferred') outcome!:
    'delivered' | 'deferred' | 'bounced';
  @Flag('True if the message was handed over, or was under way, and no reply was read.', false)
  outcome_unknown!: boolean;
  @TextOrNull('Region from which it was made; null where workers send for all regions.') region!: string | null;
  @TextOrNull('Pool of addresses that it left from; null if the sender has none.') pool!: string | null;
  @TextOrNull('Address that it left from; null if the sender has no pool, or no host was reached.')
  source_address!: string | null;
  @TextOrNull('Kind of refusal; null if there was none.', 'rate_limited') category!: string | null;
  @TextOrNull('Why it did not succeed.', '451 4.7.1 Greylisted, please try again later') reason!: string | null;
  @TextOrNull('Host that was contacted; null if none was reached.', 'mx1.customer.example') host!: string | null;
  @TextOrNull('Its IP address and port.', '192.0.2.25:25') address!: string | null;
  @Field('Encryption of the connection; null if the attempt did not get that far.', { type: TraceTls, nullable: true })
  tls!: TraceTls | null;
  @Field('The decisive reply; null if there was none.', { type: TraceReply, nullable: true })
  reply!: TraceReply | null;
  @Field(
    'Milliseconds that the phases of the attempt took. Phases that were not reached are absent. `mail` is MAIL and RCPT, ' +
      '`data` is DATA and the content, `reply` the wait for the final reply.',
    {
      type: ['object', 'null'],
      properties: Object.fromEntries(
        phases.map((phase) => [phase, { ...milliseconds, description: `Milliseconds of \`${phase}\`.` }]),
      ),
    },
    { dns: 14, connect: 22, greeting: 31, ehlo: 24, tls: 48, mail: 65 },
  )
  timings_ms!: Readonly<Record<string, number>> | null;
}

@Shape('A limit that adapts to what the destination takes.')
export class TraceLimit {
  @Amount('The present value.') current!: number;
  @Amount('The initial value, which is also the maximum.') most!: number;
}

@Shape('How fast a destination takes mail.')
export class TraceLimits {
  @Text('Name of the profile that set the initial limits.') profile!: string;
  @Text('Mail hosts of the destination.') site!: string;
  @TextOrNull('Host name that the mail leaves under; null if the operator names none.') source!: string | null;
  @Field('Connections at once.', { type: TraceLimit }) connections!: TraceLimit;
  @Field('Messages per minute.', { type: TraceLimit }) messages_per_minute!: TraceLimit;
}

@Shape('What keeps a recipient from being tried now.')
export class TraceHold {
  @OneOf(
    [
      'schedule',
      'retry_schedule',
      'lane_paused',
      'reputation_guard',
      'warm_up',
      'connection_limit',
      'rate_limit',
      'back_off',
      'lane_limit',
      'transactional_first',
      'no_worker',
      'under_way',
    ],
    'Kind of hold. `transactional_first`: bulk mail waits behind transactional mail. `reputation_guard`, `warm_up`: the ' +
      'sender is slowed, see the insights of its domain.',
    'retry_schedule',
  )
  kind!: string;
  @MomentOrNull('When the hold ends, if that is known. An estimate for limits.', '2026-11-30 20:45:01.2+00')
  until!: string | null;
  @Text('The reason, as text for people.', 'Attempt 1 did not succeed; the next one has its time') reason!: string;
  @Field('The limits of the destination; null for other kinds of hold.', { type: TraceLimits, nullable: true }, null)
  limit!: TraceLimits | null;
}

@Shape('One recipient of an email.')
export class TraceRecipient {
  @Text('Address.', 'ada@customer.example') recipient!: string;
  @OneOf(
    ['scheduled', 'queued', 'delayed', 'delivered', 'bounced', 'complained', 'failed', 'suppressed', 'canceled'],
    'Status of the recipient.',
    'delayed',
  )
  status!: string;
  @MomentOrNull('When it entered the queue; null where nothing is left to deliver.', '2026-11-30 20:39:59.54+00')
  queued_at!: string | null;
  @TextOrNull('The queue of its destination; null if nothing is left to deliver.', 'customer.example')
  lane!: string | null;
  @MomentOrNull('When it is tried next, if that is known.', '2026-11-30 20:45:01.2+00')
  next_attempt_at!: string | null;
  @Field('What keeps it from being tried now; null if nothing does.', { type: TraceHold, nullable: true })
  held_by!: TraceHold | null;
  @ListOf(TraceAttempt, 'Attempts to deliver it, oldest first.') attempts!: readonly TraceAttempt[];
  @ListOf(TraceReport, 'Reports that came back by mail after it had been handed over.', [])
  reports!: readonly TraceReport[];
  @ListOf(TraceEvent, 'What happened to this recipient.', [
    {
      seq: 2,
      type: 'email.delivery_delayed',
      created_at: '2026-11-30 20:40:00.95+00',
      data: { reason: '451 4.7.1 Greylisted, please try again later' },
    },
  ])
  events!: readonly TraceEvent[];
}

/** The response of `GET /emails/{id}/trace`. */
@Shape('The complete trace of an email.')
export class TraceResponse {
  @Always('trace') object!: 'trace';
  @Id('Id of the email.', emailId) email_id!: string;
  @Moment('When the email was accepted.') created_at!: string;
  @MomentOrNull('The time for which it was scheduled; null if it was not scheduled.') scheduled_at!: string | null;
  @ListOf(TraceEvent, 'What happened to the email as a whole.') events!: TraceEvent[];
  @ListOf(TraceRecipient, 'One entry for each recipient.') recipients!: TraceRecipient[];
}
