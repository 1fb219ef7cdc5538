import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '#kernel';
import { checkRawRequest, RawSendRequest } from './raw-email.js';

const mailbox = (name?: string) => ({ local: 'a', domain: 'b.test', address: 'a@b.test', name });
const request: RawSendRequest = {
  recipients: ['c@d.test'],
  from: mailbox(),
  to: [mailbox('To')],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  messageId: undefined,
  content: (async function* () {})(),
};
const now = new Date('2026-01-01T00:00:00Z');

describe('a finished message', () => {
  it('is accepted with any text that PostgreSQL can store', () => {
    expect(checkRawRequest({ ...request, subject: 'Grüße 👋' }, now)).toMatchObject({ subject: 'Grüße 👋' });
  });

  it.each<[string, Partial<RawSendRequest>]>([
    ['From', { from: mailbox('a\0b') }],
    ['To', { to: [mailbox(), mailbox('\ud800')] }],
    ['Cc', { cc: [mailbox('\0')] }],
    ['Reply-To', { replyTo: [mailbox('\udfff')] }],
    ['Subject', { subject: 'a\0' }],
    ['Message-ID', { messageId: '<a\0@b.test>' }],
    ['recipients', { recipients: ['a\0@b.test'] }],
    ['tags', { tags: [{ name: 'a', value: 'b\0' }] }],
  ])('is refused with a value in %s that PostgreSQL cannot store', (_, values) => {
    expect(() => checkRawRequest({ ...request, ...values }, now)).toThrow(ValidationError);
  });

  it('is refused with an invalid scheduled time', () => {
    expect(() => checkRawRequest({ ...request, scheduledAt: new Date(NaN) }, now)).toThrow(ValidationError);
  });
});
