import { allRequired, momentOf, textOf, textOrNull } from '#http/openapi';
import type { WebhookDescription } from '#http/openapi';

const data = allRequired({
  id: textOf('Id of the suppression.', { format: 'uuid' }),
  email: textOf('The address.'),
  origin: { enum: ['bounce', 'complaint', 'manual'], description: 'Why it is suppressed.' },
  source_id: textOrNull('Id of the email that bounced or was reported; null where there is none.', { format: 'uuid' }),
  created_at: momentOf('When it was added.'),
});

const example = {
  id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d',
  email: 'ada@customer.example',
  origin: 'bounce',
  source_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
  created_at: '2026-11-30T20:41:12.300Z',
};

const ofSuppression = (summary: string, description: string): WebhookDescription => ({
  summary,
  description,
  data,
  example,
});

export const suppressionEvents: Readonly<Record<string, WebhookDescription>> = {
  'suppression.added': ofSuppression('An address was suppressed', 'Your team sends nothing to it from now on.'),
  'suppression.removed': ofSuppression('A suppression was removed', 'Your team may send to the address again.'),
};
