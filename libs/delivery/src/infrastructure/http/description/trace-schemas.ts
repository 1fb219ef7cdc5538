import type { ApiDescription, Schema } from '#platform/api-description';

const moment = String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$`;
const at = (description: string): Schema => ({ type: 'string', pattern: moment, description });
const atOrNull = (description: string): Schema => ({ type: ['string', 'null'], pattern: moment, description });
const text = (description: string): Schema => ({ type: 'string', description });
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const oneOf = (description: string, ...values: string[]): Schema => ({ type: 'string', enum: values, description });
const list = (schema: string, description: string): Schema => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${schema}` },
  description,
});
const orNull = (schema: string, description: string): Schema => ({
  anyOf: [{ $ref: `#/components/schemas/${schema}` }, { type: 'null' }],
  description,
});

/** An object schema. All properties are required unless they are named in `optional`. */
function object(description: string, properties: Readonly<Record<string, Schema>>, optional: string[] = []): Described {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', description, required, properties };
}

type Described = Schema & { readonly description: string; readonly properties: Readonly<Record<string, Schema>> };

const phases = ['dns', 'connect', 'greeting', 'ehlo', 'tls', 'auth', 'mail', 'data', 'reply'];

export const traceSchemas: NonNullable<ApiDescription['schemas']> = {
  TraceResponse: {
    description: 'The complete trace of an email.',
    properties: {
      object: 'Always `trace`.',
      email_id: 'Id of the email.',
      created_at: 'When the email was accepted.',
      scheduled_at: {
        description: 'The time for which it was scheduled; null if it was not scheduled.',
        pattern: moment,
      },
      events: list('TraceEvent', 'What happened to the email as a whole.'),
      recipients: list('TraceRecipient', 'One entry for each recipient.'),
    },
  },
  TraceRecipient: object('One recipient of an email.', {
    recipient: text('Address.'),
    status: oneOf(
      'Status of the recipient.',
      'scheduled',
      'queued',
      'delayed',
      'delivered',
      'bounced',
      'complained',
      'failed',
      'suppressed',
      'canceled',
    ),
    queued_at: atOrNull('When it entered the queue; null where nothing is left to deliver.'),
    lane: textOrNull('The queue of its destination; null where nothing is left to deliver.'),
    next_attempt_at: atOrNull('When it is tried next, if that is known.'),
    held_by: orNull('TraceHold', 'What keeps it from being tried now; null where nothing does.'),
    attempts: list('TraceAttempt', 'Attempts to deliver it, oldest first.'),
    reports: list('TraceReport', 'Reports that came back by mail after it had been handed over.'),
    events: list('TraceEvent', 'What happened to this recipient.'),
  }),
  TraceHold: object('What keeps a recipient from being tried now.', {
    kind: oneOf(
      'Kind of hold. `transactional_first`: bulk mail waits behind transactional mail.',
      'schedule',
      'retry_schedule',
      'lane_paused',
      'connection_limit',
      'rate_limit',
      'back_off',
      'lane_limit',
      'transactional_first',
      'no_worker',
      'under_way',
    ),
    until: atOrNull('When the hold ends, if that is known. An estimate for limits.'),
    reason: text('The reason, as text for people.'),
    limit: orNull('TraceLimits', 'The limits of the destination; null for other kinds of hold.'),
  }),
  TraceLimits: object('How fast a destination takes mail.', {
    profile: text('Name of the profile that set the initial limits.'),
    site: text('Mail hosts of the destination.'),
    source: textOrNull('Host name that the mail leaves under; null where the operator names none.'),
    connections: { $ref: '#/components/schemas/TraceLimit', description: 'Connections at once.' },
    messages_per_minute: { $ref: '#/components/schemas/TraceLimit', description: 'Messages per minute.' },
  }),
  TraceLimit: object('A limit that adapts to what the destination takes.', {
    current: { type: 'number', description: 'The present value.' },
    most: { type: 'number', description: 'The initial value, which is also the maximum.' },
  }),
  TraceAttempt: object('One attempt to deliver.', {
    attempt: { type: 'integer', minimum: 1, description: 'Number of the attempt, from 1.' },
    started_at: at('When it began.'),
    duration_ms: { type: 'number', minimum: 0, description: 'How long it took, in milliseconds.' },
    outcome: oneOf('The outcome.', 'delivered', 'deferred', 'bounced'),
    outcome_unknown: flag('True if the message was handed over, or was under way, and no reply was read.'),
    category: textOrNull('Kind of refusal; null where there was none.'),
    reason: textOrNull('Why it did not succeed.'),
    host: textOrNull('Host that was contacted; null if none was reached.'),
    address: textOrNull('Its IP address and port.'),
    tls: orNull('TraceTls', 'Encryption of the connection; null if the attempt did not get that far.'),
    reply: orNull('TraceReply', 'The decisive reply; null if there was none.'),
    timings_ms: {
      type: ['object', 'null'],
      description:
        'Milliseconds that the phases of the attempt took. Phases that were not reached are absent. `mail` is MAIL and RCPT, `data` is ' +
        'DATA and the content, `reply` the wait for the final reply.',
      properties: Object.fromEntries(
        phases.map((phase) => [phase, { type: 'number', minimum: 0, description: `Milliseconds of \`${phase}\`.` }]),
      ),
    },
  }),
  TraceTls: object(
    'Encryption of a connection.',
    {
      level: oneOf(
        'How the host was verified. `opportunistic`: not at all. `none`: the connection was not encrypted.',
        'dane',
        'mta-sts',
        'verified',
        'opportunistic',
        'none',
      ),
      protocol: text('Version, such as `TLSv1.3`; absent without encryption.'),
      cipher: text('Cipher suite; absent without encryption.'),
      authorized: flag('Whether the certificate passed the check of its level.'),
      certificate_error: textOrNull('Why the certificate failed the check.'),
      plaintext_reason: textOrNull('Why the connection was not encrypted.'),
      policy_failure: textOrNull('Why an MTA-STS policy in testing mode would have refused the connection.'),
    },
    ['protocol', 'cipher'],
  ),
  TraceReply: object('A reply of an SMTP server.', {
    code: whole('Reply code, such as 250.'),
    enhanced_code: textOrNull('Enhanced status code (RFC 3463), such as `2.1.5`.'),
    text: textOrNull('Text, cut to 1 KB.'),
  }),
  TraceReport: object('A report that came back by mail.', {
    received_at: at('When it came.'),
    kind: text('Kind of report: on delivery, or a complaint.'),
    reporter: textOrNull('Who reported.'),
    action: textOrNull('Action of a delivery report (RFC 3464), such as `failed`.'),
    status: textOrNull('Enhanced status code of a delivery report.'),
    category: textOrNull('Kind of refusal or complaint.'),
    diagnostic: textOrNull('Diagnostic text of the remote server.'),
    effect: text('The consequence of the report; `none` if there was none.'),
  }),
  TraceEvent: object('An event of an email.', {
    seq: { type: 'integer', minimum: 1, description: 'Number of the event within its email, from 1.' },
    type: text('What happened, such as `email.delivered`.'),
    created_at: at('When it happened.'),
    data: { type: ['object', 'null'], additionalProperties: true, description: 'Details, by type of event.' },
  }),
};
