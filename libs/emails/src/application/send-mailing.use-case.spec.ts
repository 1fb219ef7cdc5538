import { beforeEach, expect, it } from '@jest/globals';
import { timeOfId } from '#kernel';
import { InMemorySending, sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';
import { Mailing, MailingRecipient } from '../domain/mailing.js';
import { OutgoingEmails } from './outgoing-emails.js';
import { MailingResult, SendMailing } from './send-mailing.use-case.js';

let sending: InMemorySending;
let sendMailing: SendMailing;

beforeEach(() => {
  sending = new InMemorySending();
  const { sender, contents, screening, acceptEmails, room, clock } = sending;
  sendMailing = new SendMailing(sender, contents, screening, acceptEmails, room, clock);
});

const mailing = (fields: Partial<Mailing> = {}): Mailing => ({
  teamId: sending.teamId,
  actor: { kind: 'service' },
  from: `Acme <news@${sendingDomain}>`,
  subjects: ['Hi {{{name|you}}}', 'Hello'],
  content: { html: '<b>{{{name|friend}}}</b>' },
  ...fields,
});

async function send(recipients: readonly MailingRecipient[], given = mailing()): Promise<readonly MailingResult[]> {
  const prepared = await sendMailing.prepare(given, sendMailing.compile(given));
  const { results, wake } = await sending.unitOfWork.runPipelined(async (transaction) => {
    const slice = await sendMailing.accept(prepared, recipients, sending.clock.now(), transaction);
    return { send: async () => ({ results: slice.results, wake: await slice.last.send() }) };
  });
  wake();
  return results;
}

const idOf = (result: MailingResult | undefined): string =>
  result !== undefined && 'emailId' in result ? result.emailId : '';

it('each recipient gets an own email with the shared content and its subject', async () => {
  const [ada, bob] = await send([
    { to: 'ada@sink.test', values: { NAME: 'Ada <1>', other: 'not used' }, subject: 0 },
    { to: 'bob@sink.test', values: {}, subject: 1 },
  ]);
  const emails = await new OutgoingEmails(sending.repository).load([idOf(ada), idOf(bob)]);
  const [first, second] = [emails.get(idOf(ada)), emails.get(idOf(bob))];
  expect([first?.body.html, second?.body.html]).toEqual(['<b>Ada &#60;1&#62;</b>', '<b>friend</b>']);
  expect([first?.email.subject, second?.email.subject]).toEqual(['Hi Ada <1>', 'Hello']);
  expect(first?.email.contentId).toBe(second?.email.contentId);
  expect(first?.email.mergeValues).toEqual({ name: 'Ada <1>' });
});

it('who is suppressed, or cannot get it, is named and gets nothing, and a suppressed email is there with its event', async () => {
  sending.suppressed.set('eve@sink.test', 'complaint');
  const results = await send([
    { to: 'eve@sink.test', values: {}, subject: 0 },
    { to: 'nobody', values: {}, subject: 0 },
    { to: 'big@sink.test', values: { name: 'x'.repeat(20_000) }, subject: 0 },
    { to: 'ada@sink.test', values: {}, subject: 0 },
  ]);
  expect(results).toEqual([
    { emailId: expect.any(String), withheld: 'suppressed' },
    ...[{ withheld: 'invalid' }, { withheld: 'invalid' }],
    { emailId: expect.any(String) },
  ]);
  expect((await sending.repository.find(idOf(results[0])))?.lastEvent).toBe('suppressed');
  expect((await sending.repository.find(idOf(results[3])))?.lastEvent).toBe('sent');
  expect(sending.queue.enqueued.map(({ address }) => address)).toEqual(['ada@sink.test']);
});

it('a value can neither add a header through the subject nor markup to the body', async () => {
  const [eve] = await send([{ to: 'eve@sink.test', values: { name: 'Eve\r\nBcc: all@sink.test <b>' }, subject: 0 }]);
  const email = (await new OutgoingEmails(sending.repository).load([idOf(eve)])).get(idOf(eve));
  expect(email?.email.subject).toBe('Hi Eve Bcc: all@sink.test <b>');
  expect(email?.body.html).not.toContain('<b>Eve\r\nBcc: all@sink.test <b>');
});

it('around midnight the content is there for both days', async () => {
  const untilMidnight = 86_400_000 - (sending.clock.now().getTime() % 86_400_000);
  sending.clock.advance(untilMidnight - 1);
  const many = Array.from({ length: 5_000 }, (_, no) => ({ to: `${no}@sink.test`, values: {}, subject: 1 }));
  const ids = (await send(many)).map(idOf);
  const days = new Set(ids.map((id) => timeOfId(id).toISOString().slice(0, 10)));
  expect(days.size).toBe(2);
  const emails = await new OutgoingEmails(sending.repository).load([ids[0] ?? '', ids.at(-1) ?? '']);
  for (const id of [ids[0] ?? '', ids.at(-1) ?? '']) {
    expect(
      timeOfId(emails.get(id)?.email.contentId ?? '')
        .toISOString()
        .slice(0, 10),
    ).toBe(timeOfId(id).toISOString().slice(0, 10));
  }
});

it('refuses what is unfit for everybody', async () => {
  expect(() => sendMailing.compile(mailing({ content: {} }))).toThrow('Missing `html` or `text`');
  expect(() => sendMailing.compile(mailing({ from: 'nobody' }))).toThrow('Invalid `from`');
  const given = mailing({ from: 'a@other.test' });
  await expect(sendMailing.prepare(given, sendMailing.compile(given))).rejects.toThrow('is not verified');
  sending.room.isFull = true;
  await expect(sendMailing.prepare(mailing(), sendMailing.compile(mailing()))).rejects.toThrow('no room');
});
