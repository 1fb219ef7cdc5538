import { describe, expect, it } from '@jest/globals';
import {
  checkAnswerHeaders,
  headersOfAnswer,
  messageIdsOf,
  recipientsOfReply,
  subjectOfForward,
  subjectOfReply,
} from './answer.js';
import { InboxEmail } from './thread.js';

const inbox = { address: 'support@acme.test', receivingAddress: 'in-1@mail.service.test' };
const email = (fields: Partial<InboxEmail> = {}): InboxEmail => ({
  id: '1',
  inboxId: '2',
  threadId: '3',
  direction: 'inbound',
  from: 'ada@customer.test',
  to: ['Support <Support+tag@ACME.test>', 'Bob <bob@customer.test>', 'in-1@mail.service.test'],
  cc: ['carol@customer.test', 'ADA@customer.test', 'undisclosed recipients:;'],
  bcc: ['secret@customer.test'],
  replyTo: [],
  subject: null,
  messageId: null,
  attachments: [],
  isRead: true,
  receivedAt: new Date(0),
  ...fields,
});
const given = { all: false, cc: [], bcc: [] };

describe('an answer goes', () => {
  it('to the Reply-To, or else to the author', () => {
    expect(recipientsOfReply(email(), inbox, given)).toEqual({ to: ['ada@customer.test'], cc: [], bcc: [] });
    const replyTo = ['no address', 'Desk <desk@customer.test>'];
    expect(recipientsOfReply(email({ replyTo }), inbox, given).to).toEqual(['Desk <desk@customer.test>']);
    expect(() => recipientsOfReply(email({ from: '' }), inbox, given)).toThrow('names no address');
  });

  it('to the recipients of an email that the inbox sent', () => {
    const sent = email({
      direction: 'outbound',
      from: inbox.address,
      to: ['ada@customer.test'],
      cc: ['bob@customer.test'],
    });
    expect(recipientsOfReply(sent, inbox, given).to).toEqual(['ada@customer.test']);
    expect(recipientsOfReply(sent, inbox, { ...given, all: true }).cc).toEqual(['bob@customer.test']);
  });

  it('to everybody once, without the inbox and blind copies', () => {
    const asked = {
      all: true,
      cc: ['BOB@customer.test', 'eve@customer.test'],
      bcc: ['Eve <EVE@customer.test>', 'mallory@customer.test'],
    };
    expect(recipientsOfReply(email(), inbox, asked)).toEqual({
      to: ['ada@customer.test'],
      cc: ['BOB@customer.test', 'eve@customer.test', 'carol@customer.test'],
      bcc: ['mallory@customer.test'],
    });
  });
});

it('subjects get their prefix once', () => {
  expect([subjectOfReply('Hi'), subjectOfReply('RE: Hi'), subjectOfReply(null)]).toEqual(['Re: Hi', 'RE: Hi', 'Re:']);
  expect([subjectOfForward('Re: Hi'), subjectOfForward('fw: Hi')]).toEqual(['Fwd: Re: Hi', 'fw: Hi']);
  for (const subject of [
    'AW: Hi',
    'SV: Hi',
    'RE[2]: Hi',
    'Antw: Hi',
    'RES: Hi',
    'Odp: Hi',
    'Re：Hi',
    '回复：Hi',
    '答复: Hi',
  ]) {
    expect(subjectOfReply(subject)).toBe(subject);
  }
  for (const subject of ['WG: Hi', 'TR : Hi', 'RV: Hi', 'ENC: Hi', '转发：Hi'])
    expect(subjectOfForward(subject)).toBe(subject);
  expect(subjectOfReply('Awesome: Hi')).toBe('Re: Awesome: Hi');
  expect(subjectOfReply('x'.repeat(2_000))).toHaveLength(998);
});

it('references begin with the thread, end with the answered email, and are bounded', () => {
  const ids = Array.from({ length: 50 }, (_, n) => `<${n}@customer.test>`);
  const { References = '', ...headers } = headersOfAnswer('<last@customer.test>', [...ids, 'none']);
  expect(headers).toEqual({ 'In-Reply-To': '<last@customer.test>' });
  const kept = References.split(' ');
  expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([
    20,
    '<0@customer.test>',
    '<32@customer.test>',
    '<last@customer.test>',
  ]);
  expect(headersOfAnswer(null, ids)).toEqual({});
  expect(headersOfAnswer('<a b>\r\nBcc: x', ids)).toEqual({});
  expect(messageIdsOf('<a@b><c@d>\r\n\t<e@f> (comment) <no')).toEqual(['<a@b>', '<c@d>', '<e@f>']);
});

it('headers of the service are refused in any case', () => {
  for (const name of ['In-Reply-To', 'references', 'REPLY-TO'])
    expect(() => checkAnswerHeaders({ [name]: 'x' })).toThrow(name);
  expect(checkAnswerHeaders({ 'X-Id': '1' })).toBeUndefined();
});

it('message ids are read however they are divided', () => {
  expect(messageIdsOf('<a@x.test>,<b@x.test>, <c@x.test><d@x.test> (no) <e @x.test>')).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => `<${name}@x.test>`),
  );
});
