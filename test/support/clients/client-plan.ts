interface PlannedRequest {
  /** Later paths name the id of the answer as `{name}`, and later bodies as `@name`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  /** Paths of the fields that the client's types declare as always present. */
  readonly reads: readonly string[];
  /** What some of them hold. */
  readonly values?: Readonly<Record<string, unknown>>;
}

const list = ['object', 'has_more', 'data'];
const ofFirst = (...fields: string[]): string[] => [...list, ...fields.map((field) => `data.0.${field}`)];

/** Requests that a client makes, with the fields that it reads without a default. */
export function clientPlan(client: string, from: string): readonly PlannedRequest[] {
  const email = { from, to: ['ada@inbox.test'], subject: `Hello from ${client}`, html: '<p>Hi</p>' };
  const attachments = [{ filename: 'a.txt', content: [72, 105] }];
  const address = `${client}+a@contacts.test`;
  return [
    { name: 'email', method: 'POST', path: '/emails', body: { ...email, attachments }, status: 200, reads: ['id'] },
    {
      name: 'batch',
      method: 'POST',
      path: '/emails/batch',
      body: [email, email],
      status: 200,
      reads: ['data.0.id', 'data.1.id'],
    },
    {
      name: 'read',
      method: 'GET',
      path: '/emails/{email}',
      status: 200,
      reads: [
        ...['object', 'id', 'to', 'from', 'created_at', 'subject', 'html', 'text', 'bcc', 'cc', 'reply_to'],
        ...['last_event', 'scheduled_at', 'message_id'],
      ],
      values: { subject: email.subject, cc: null, bcc: null, reply_to: null, scheduled_at: null },
    },
    {
      name: 'emails',
      method: 'GET',
      path: '/emails?limit=2',
      status: 200,
      reads: ofFirst('id', 'to', 'cc', 'bcc', 'reply_to', 'last_event'),
    },
    {
      name: 'files',
      method: 'GET',
      path: '/emails/{email}/attachments',
      status: 200,
      reads: ofFirst(
        'id',
        'filename',
        'size',
        'content_type',
        'content_disposition',
        'content_id',
        'download_url',
        'expires_at',
      ),
    },
    {
      name: 'refused',
      method: 'POST',
      path: '/emails',
      body: { ...email, subject: undefined },
      status: 422,
      reads: ['statusCode', 'name', 'message'],
      values: { statusCode: 422, name: 'missing_required_field', message: 'Missing `subject` field.' },
    },
    {
      name: 'unknown',
      method: 'GET',
      path: '/emails/00000000-0000-7000-8000-000000000000',
      status: 404,
      reads: ['statusCode', 'name', 'message'],
      values: { name: 'not_found' },
    },
    {
      name: 'domain',
      method: 'POST',
      path: '/domains',
      body: { name: `${client}.clients.test` },
      status: 201,
      reads: [
        'id',
        'name',
        'status',
        'created_at',
        'region',
        'records.0.record',
        'records.0.name',
        'records.0.value',
        'records.0.ttl',
        'records.0.status',
        'capabilities.sending',
      ],
    },
    { name: 'verify', method: 'POST', path: '/domains/{domain}/verify', status: 200, reads: ['object', 'id'] },
    {
      name: 'domains',
      method: 'GET',
      path: '/domains',
      status: 200,
      reads: ofFirst('id', 'name', 'status', 'created_at', 'region', 'capabilities'),
    },
    {
      name: 'noDomain',
      method: 'DELETE',
      path: '/domains/{domain}',
      status: 200,
      reads: ['object', 'id', 'deleted'],
      values: { deleted: true },
    },
    { name: 'key', method: 'POST', path: '/api-keys', body: { name: client }, status: 201, reads: ['id', 'token'] },
    {
      name: 'keys',
      method: 'GET',
      path: '/api-keys',
      status: 200,
      reads: ofFirst('id', 'name', 'created_at', 'last_used_at'),
    },
    { name: 'noKey', method: 'DELETE', path: '/api-keys/{key}', status: 200, reads: [] },
    {
      name: 'segment',
      method: 'POST',
      path: '/segments',
      body: { name: client, audience_id: '' },
      status: 201,
      reads: ['object', 'id', 'name'],
    },
    {
      name: 'segments',
      method: 'GET',
      path: '/segments',
      status: 200,
      reads: ofFirst('id', 'name', 'created_at', 'audience_id'),
    },
    {
      name: 'contact',
      method: 'POST',
      path: '/contacts',
      body: { email: address, unsubscribed: false },
      status: 201,
      reads: ['object', 'id'],
    },
    {
      name: 'byAddress',
      method: 'GET',
      path: `/contacts/${encodeURIComponent(address)}`,
      status: 200,
      reads: ['object', 'id', 'email', 'first_name', 'last_name', 'created_at', 'unsubscribed', 'properties'],
      values: { email: address, first_name: null },
    },
    {
      name: 'changed',
      method: 'PATCH',
      path: '/contacts/{contact}',
      body: { id: address, first_name: 'Ada' },
      status: 200,
      reads: ['object', 'id'],
    },
    {
      name: 'contacts',
      method: 'GET',
      path: '/contacts',
      status: 200,
      reads: ofFirst('id', 'email', 'first_name', 'last_name', 'created_at', 'unsubscribed'),
    },
    {
      name: 'webhook',
      method: 'POST',
      path: '/webhooks',
      body: { endpoint: 'https://hooks.example.com/x', events: ['email.sent'] },
      status: 201,
      reads: ['object', 'id', 'signing_secret'],
    },
    {
      name: 'webhooks',
      method: 'GET',
      path: '/webhooks',
      status: 200,
      reads: ofFirst('id', 'endpoint', 'events', 'status', 'created_at'),
    },
    {
      name: 'noWebhook',
      method: 'DELETE',
      path: '/webhooks/{webhook}',
      status: 200,
      reads: ['object', 'id', 'deleted'],
    },
    {
      name: 'broadcast',
      method: 'POST',
      path: '/broadcasts',
      body: { segment_id: '@segment', from, subject: 'News', html: '<p>Hi</p>' },
      status: 201,
      reads: ['id'],
    },
    {
      name: 'readBroadcast',
      method: 'GET',
      path: '/broadcasts/{broadcast}',
      status: 200,
      reads: [
        'object',
        'id',
        'name',
        'audience_id',
        'segment_id',
        'from',
        'subject',
        'reply_to',
        'preview_text',
        'status',
        'created_at',
        'scheduled_at',
        'sent_at',
        'html',
        'text',
        'topic_id',
      ],
      values: { status: 'draft', sent_at: null },
    },
    {
      name: 'broadcasts',
      method: 'GET',
      path: '/broadcasts',
      status: 200,
      reads: ofFirst('id', 'name', 'audience_id', 'segment_id', 'status', 'created_at', 'scheduled_at', 'sent_at'),
    },
    { name: 'grants', method: 'GET', path: '/oauth/grants', status: 200, reads: list },
  ];
}
