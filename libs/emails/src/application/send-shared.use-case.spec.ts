import { beforeEach, expect, it } from '@jest/globals';
import { timeOfId } from '#kernel';
import {
  anIdempotentRequest,
  InMemorySending,
  sendingDomain,
} from '../../../../test/support/fakes/in-memory-sending.js';
import { SharedContent } from '../domain/shared-content.js';
import { maxSharedRecipients, SharedRecipient } from '../domain/shared-send-request.js';
import { OutgoingEmails } from './outgoing-emails.js';
import { SendShared } from './send-shared.use-case.js';

let sending: InMemorySending;
let sendShared: SendShared;

beforeEach(() => {
  sending = new InMemorySending();
  sendShared = new SendShared(sending.sender, sending.contents, sending.acceptEmails, sending.clock);
});

const from = `Acme <news@${sendingDomain}>`;
const people: SharedRecipient[] = [
  { to: 'ada@sink.test', values: { FIRST_NAME: 'Ada' } },
  { to: 'bob@sink.test', values: {} },
];

async function send(content: SharedContent, recipients = people, subject = 'Hi {{{first_name|you}}}') {
  const { ids } = await sendShared.send(sending.principal, { from, subject, content, recipients });
  const emails = await new OutgoingEmails(sending.repository).load(ids);
  return ids.map((id) => emails.get(id));
}

it('each recipient gets an own email with the shared content', async () => {
  const [ada, bob] = await send({ html: '<b>{{{FIRST_NAME|friend}}}</b>' });
  expect([ada?.body.html, bob?.body.html]).toEqual(['<b>Ada</b>', '<b>friend</b>']);
  expect([ada?.email.subject, bob?.email.subject]).toEqual(['Hi Ada', 'Hi you']);
  expect(ada?.email.contentId).toBe(bob?.email.contentId);
  expect(sending.queue.enqueued.map(({ address }) => address)).toEqual(['ada@sink.test', 'bob@sink.test']);
});

it('the content belongs to the day of the email, and another day has its own content', async () => {
  const content = { text: 'Hi' };
  const dayOf = (id: string | null | undefined) =>
    timeOfId(id ?? '')
      .toISOString()
      .slice(0, 10);
  const [today] = await send(content);
  const [again] = await send({ ...content });
  sending.clock.advance(36 * 3_600_000);
  const [later] = await send(content);
  expect(again?.email.contentId).toBe(today?.email.contentId);
  expect(later?.email.contentId).not.toBe(today?.email.contentId);
  for (const one of [today, later]) expect(dayOf(one?.email.contentId)).toBe(dayOf(one?.email.id));
});

it('a value can neither add a header through the subject nor markup to the body', async () => {
  const values = { name: 'Eve\r\nBcc: all@sink.test <b>' };
  const [email] = await send({ html: '{{{name}}}' }, [{ to: 'eve@sink.test', values }], '{{{name}}}');
  expect(email?.email.subject).toBe('Eve Bcc: all@sink.test <b>');
  expect(email?.body.html).toContain('&#60;b&#62;');
});

it('the size of an email includes its own values', async () => {
  const [short, long] = await send({ text: '{{{v}}}' }, [
    { to: 'ada@sink.test', values: { v: 'x' } },
    { to: 'ada@sink.test', values: { v: 'x'.repeat(1_001) } },
  ]);
  expect((long?.email.size ?? 0) - (short?.email.size ?? 0)).toBe(1_000);
});

it('one fault refuses all emails', async () => {
  await expect(send({ text: 'Hi' }, [...people, { to: 'nobody', values: {} }])).rejects.toThrow('`to`');
  await expect(send({ text: 'Hi' }, [{ to: 'a@sink.test', values: { a: 'x\0' } }])).rejects.toThrow('NUL');
  await expect(send({ text: '' })).rejects.toThrow('html');
  const many = Array.from({ length: maxSharedRecipients + 1 }, () => people[0] as SharedRecipient);
  await expect(send({ text: 'Hi' }, many)).rejects.toThrow('1000');
  expect(sending.emails.byId.size).toBe(0);
});

it('a repetition gets the first ids', async () => {
  const request = { from, subject: 'Hi', content: { text: 'Hi' }, recipients: people };
  const once = () => sendShared.send(sending.principal, request, anIdempotentRequest(sending.teamId));
  expect(await once()).toEqual(await once());
  expect(sending.emails.byId.size).toBe(2);
});
