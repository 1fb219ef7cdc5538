import { expect, it } from '@jest/globals';
import { ReadSource } from '#delivery';
import { ReadDomains } from '#domains';
import type { Email } from '#emails';
import { CheckedMessage, MessageFacts } from '../domain/message-facts.js';
import { EmailInsights } from './email-insights.query.js';

const email = {
  id: 'e',
  teamId: 't',
  domainId: 'd',
  topicId: null,
  tracking: null,
  scheduledAt: null,
  createdAt: new Date(0),
};

const facts: MessageFacts = {
  size: 1,
  longestLine: 1,
  fields: [],
  signatures: [],
  html: null,
  text: 'Hello',
  files: [],
};

const domain = {
  id: 'd',
  name: 'mail.acme.co.uk',
  customReturnPath: 'send',
  trackingSubdomain: 'links',
  openTracking: true,
  clickTracking: false,
  checks: { tracking: { purpose: 'optional', status: 'verified' } },
  sandbox: false,
};

const record = { view: { record: 'SPF', status: 'failed' }, host: 'send.mail.acme.co.uk', advice: 'There is none.' };

const keys = [
  { state: 'retired', createdAt: new Date('1969-01-01') },
  { state: 'signing', createdAt: new Date('1969-06-01') },
  { state: 'signing', createdAt: new Date('1969-12-01') },
];

function insights(source: Uint8Array | undefined, diagnosed: unknown): EmailInsights {
  return new EmailInsights(
    { read: async () => source } as unknown as ReadSource,
    { diagnose: async () => diagnosed } as unknown as ReadDomains,
    { read: async () => facts },
  );
}

const statusOf = async (id: string, more: Partial<CheckedMessage> | object = {}): Promise<string | undefined> => {
  const findings = await insights(Buffer.from('x'), { domain, records: [record], keys }).of(
    { ...email, ...more } as Email,
    0,
  );
  return findings?.find((finding) => finding.id === id)?.status;
};

it('puts the message together with what is known of its domain', async () => {
  expect(await statusOf('spf')).toBe('problem');
  expect(await statusOf('return_path')).toBe('good');
  expect(await statusOf('dkim_key_age')).toBe('advice');
  expect(await statusOf('tracking')).toBe('advice');
  expect(await statusOf('tracking', { tracking: { opens: false } })).toBe('good');
});

it('takes mail of broadcasts and of topics for bulk mail', async () => {
  expect(await statusOf('one_click_unsubscribe')).toBe('not_measured');
  expect(await statusOf('one_click_unsubscribe', { topicId: 'news' })).toBe('problem');
  expect(await statusOf('one_click_unsubscribe', { isBulk: true })).toBe('problem');
});

it('knows nothing of an email whose content is gone, or whose domain was deleted', async () => {
  expect(await insights(undefined, { domain, records: [] }).of(email as unknown as Email, 0)).toBeUndefined();
  expect(await insights(Buffer.from('x'), undefined).of(email as unknown as Email, 0)).toBeUndefined();
});
