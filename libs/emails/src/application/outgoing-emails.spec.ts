import { describe, expect, it } from '@jest/globals';
import { readConfig } from '#platform/config';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { RecentEmails } from './outgoing-emails.js';

const megabyte = 1024 * 1024;

function accepted(id: string, recipients: number, size = 10): AcceptedEmail {
  return {
    email: { id, size, contentId: null },
    body: { html: null, text: id },
    recipients: Array.from({ length: recipients }, (_, no) => ({ no, address: `${no}@sink.test` })),
    attachmentContents: [],
  } as unknown as AcceptedEmail;
}

const recentEmails = (environment: Record<string, string> = {}) =>
  new RecentEmails(readConfig(environment).has('worker'));

describe('recent emails', () => {
  it('return an email to one recipient once, and an email to several recipients repeatedly', () => {
    const recent = recentEmails();
    recent.add(accepted('one', 1));
    recent.add(accepted('several', 2));
    const found = () => ['one', 'several'].map((id) => recent.get(id)?.body.text);
    expect(found()).toEqual(['one', 'several']);
    recent.handedOver(['one', 'several', 'unknown']);
    expect(found()).toEqual([undefined, 'several']);
  });

  it('drop the oldest above the memory limit, and no longer count emails that were handed over', () => {
    const recent = recentEmails();
    recent.add(accepted('first', 2, 20 * megabyte));
    recent.add(accepted('taken', 1, 10 * megabyte));
    recent.handedOver(['taken']);
    recent.add(accepted('second', 2, 10 * megabyte));
    expect(recent.get('first')).toBeDefined();
    recent.add(accepted('third', 2, 10 * megabyte));
    expect([recent.get('first'), recent.get('second')?.email.id, recent.get('third')?.email.id]).toEqual([
      undefined,
      'second',
      'third',
    ]);
  });

  it.each([
    ['ROLES', 'api,smtp'],
    ['WORKERS', '2'],
  ])('are not kept where other processes deliver: %s=%s', (name, value) => {
    const recent = recentEmails({ [name]: value });
    recent.add(accepted('one', 1));
    expect(recent.get('one')).toBeUndefined();
  });
});
