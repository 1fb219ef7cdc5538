import { allRequired, momentOf, textOf } from '#http/openapi';
import type { WebhookDescription } from '#http/openapi';
import { eventStatuses } from '../../domain/domain-event.js';
import { domainId } from './example-ids.js';

const setting = { enum: ['enabled', 'disabled'] };

const record = allRequired(
  {
    record: textOf('What it is for.'),
    name: textOf('Its name, relative to the domain.'),
    type: textOf('Its type, such as `TXT`.'),
    ttl: textOf('Its TTL.'),
    status: textOf('Whether it was found.'),
    value: textOf('Its value.'),
    priority: { type: 'integer', description: 'Preference of an MX record.' },
  },
  'priority',
);

const data = allRequired({
  id: textOf('Id of the domain.', { format: 'uuid' }),
  name: textOf('Its name.'),
  status: textOf('The `state` in the words that all clients know in events.', { enum: [...eventStatuses] }),
  state: textOf('Its `state` as in responses. An addition of Postrider.'),
  created_at: momentOf('When it was created.'),
  region: textOf('Its region.'),
  capabilities: {
    description: 'What it is used for.',
    ...allRequired({
      sending: { ...setting, description: 'Whether it sends.' },
      receiving: { ...setting, description: 'Whether it receives.' },
    }),
  },
  records: { type: 'array', items: record, description: 'The records that its DNS needs.' },
  recommended_records: {
    type: 'array',
    items: record,
    description: 'Records that are recommended. An addition of Postrider.',
  },
});

const example = {
  id: domainId,
  name: 'acme.example',
  status: 'pending',
  state: 'pending',
  created_at: '2026-11-28T09:10:31.440Z',
  region: 'default',
  capabilities: { sending: 'enabled', receiving: 'disabled' },
  records: [
    {
      record: 'DKIM',
      name: 'postrider1._domainkey',
      type: 'TXT',
      ttl: 'Auto',
      status: 'pending',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z',
    },
  ],
  recommended_records: [],
};

const ofDomain = (title: string, description: string): WebhookDescription => ({
  summary: title,
  description,
  data,
  example,
});

export const domainEvents: Readonly<Record<string, WebhookDescription>> = {
  'domain.created': ofDomain('A domain was added', 'With the records that it needs.'),
  'domain.updated': ofDomain('A domain changed', 'Its settings, its status, or the state of its records.'),
  'domain.deleted': ofDomain('A domain was deleted', 'With the values that it had.'),
};
