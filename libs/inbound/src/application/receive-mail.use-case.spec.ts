import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { clean, InMemoryReceiving } from '../../../../test/support/fakes/in-memory-receiving.js';
import { ReceivedElsewhere } from './received-elsewhere.js';

const visitor = { address: '192.0.2.1', network: '192.0.2.0/24', helo: 'mx.customer.test', tls: null };
const mailFrom = 'ada@customer.test';
const [acme, other] = [newId(), newId()];
const domains = new Map([
  ['acme.test', { id: newId(), teamId: acme, name: 'acme.test', isProven: true, isMailHost: true }],
  ['other.test', { id: newId(), teamId: other, name: 'other.test', isProven: true, isMailHost: true }],
  ['unseen.test', { id: newId(), teamId: other, name: 'unseen.test', isProven: false, isMailHost: false }],
]);
const receiving = { find: async (name: string) => domains.get(name) };
let rig: InMemoryReceiving;

beforeEach(() => {
  rig = new InMemoryReceiving(receiving);
});

const addressOf = (address: string) => ({ address, domain: address.slice(address.indexOf('@') + 1) });

async function bring(text: string, ...to: string[]) {
  const recipients = await Promise.all(
    to.map((address) => rig.receiveMail.decide(visitor, mailFrom, addressOf(address))),
  );
  const bytes = Buffer.from(text);
  const headerEnd = text.indexOf('\r\n\r\n') + 4;
  return rig.receiveMail.receive({
    visitor,
    mailFrom,
    smtpUtf8: false,
    recipients: recipients.filter((recipient) => recipient !== undefined),
    content: {
      header: async () => bytes.subarray(0, headerEnd),
      all: async function* () {
        // In pieces that cut the header.
        yield bytes.subarray(0, 5);
        yield bytes.subarray(5);
      },
    },
  });
}

const message = 'Subject: Hello\r\n\r\nHi\r\n';

it('stores one email for each team, with the bytes as they came', async () => {
  const { id } = await bring(message, 'a@acme.test', 'b@acme.test', 'c@other.test');

  expect(rig.emails.emails).toMatchObject([
    { id, teamId: acme, contentId: id, recipients: ['a@acme.test', 'b@acme.test'], mailFrom, size: message.length },
    { teamId: other, contentId: id, recipients: ['c@other.test'] },
  ]);
  expect(rig.emails.announced).toHaveLength(2);
  expect(rig.emails.emails[0]?.trace).not.toContain('for <');
  expect(rig.emails.emails[1]?.trace).toContain('for <c@other.test>');
});

it('takes mail for an address of a team at the host of the service, and asks no route', async () => {
  const [address, domainId] = ['inbox-1@mail.service.test', newId()];
  rig.addresses.set(address, { teamId: acme, domainId });
  rig.decide = () => ({ kind: 'reject', text: 'No' });
  await bring(message, address);
  expect(rig.emails.emails).toMatchObject([{ teamId: acme, domainId, recipients: [address] }]);
  expect(rig.emails.announced).toHaveLength(1);
  expect(await rig.receiveMail.decide(visitor, mailFrom, addressOf('x@mail.service.test'))).toBeUndefined();
});

it('refuses recipients as their domain and its routes say', async () => {
  const decide = (address: string) => rig.receiveMail.decide(visitor, mailFrom, addressOf(address));
  expect(await decide('a@elsewhere.test')).toBeUndefined();
  await expect(decide('a@unseen.test')).rejects.toMatchObject({ replyCode: 451, enhancedCode: '4.7.1' });
  rig.decide = () => ({ kind: 'reject', text: 'No such person' });
  await expect(decide('a@acme.test')).rejects.toMatchObject({ replyCode: 550, enhancedCode: '5.1.1' });
  rig.decide = () => ({ kind: 'temporary', text: 'Later' });
  await expect(decide('a@acme.test')).rejects.toMatchObject({ replyCode: 451 });
});

it('queues actions and leaves out the event where the routes say so', async () => {
  rig.decide = ({ recipient }) => ({ kind: 'accept', announce: false, act: recipient.startsWith('forward') });
  const { id } = await bring(message, 'forward@acme.test', 'quiet@acme.test');
  expect([rig.emails.announced, rig.emails.queued]).toEqual([[], [id]]);
});

it('reads a message that nobody keeps to its end, and stores nothing', async () => {
  rig.decide = () => ({ kind: 'discard' });
  expect(await bring(message, 'a@acme.test')).toMatchObject({ receipt: undefined });
  expect(rig.emails.emails).toEqual([]);
});

it('refuses loops and what the verdicts forbid', async () => {
  rig.hops = 51;
  await expect(bring(message, 'a@acme.test')).rejects.toMatchObject({ replyCode: 554 });
  rig.hops = 50;
  rig.verdicts = { ...clean, dmarc: { result: 'fail', domain: 'x.test', policy: 'reject', alignedBy: [] } };
  await expect(bring(message, 'a@acme.test')).rejects.toMatchObject({ replyCode: 550, enhancedCode: '5.7.26' });
  rig.verdicts = { ...clean, spam: { score: 9, requiredScore: 5, isSpam: true, symbols: {} } };
  expect(await bring(message, 'a@acme.test')).toMatchObject({ id: expect.any(String) });
  rig.refusesSpam = true;
  await expect(bring(`${message}.`, 'a@acme.test')).rejects.toMatchObject({ replyCode: 550 });
});

it('recognises a message that is sent again, until its reply is confirmed', async () => {
  rig.messageId = '<1@customer.test>';
  const first = await bring(message, 'a@acme.test', 'b@acme.test');
  expect(await bring(message, 'b@acme.test', 'a@acme.test')).toEqual(first);
  await rig.receiveMail.confirm(first.receipt ?? '');
  const next = await bring(message, 'a@acme.test', 'b@acme.test');
  expect(next.id).not.toBe(first.id);
  expect((await bring(message, 'a@acme.test')).id).not.toBe(next.id);
});

it('stores equal bytes without a Message-ID again: nothing says that they are the same message', async () => {
  const first = await bring(message, 'a@acme.test');
  expect((await bring(message, 'a@acme.test')).id).not.toBe(first.id);
  expect(rig.emails.emails).toHaveLength(2);
});

it('marks mail beyond the quota, and keeps it', async () => {
  rig.isBeyondQuota = true;
  await bring(message, 'a@acme.test');
  expect(rig.emails.emails).toMatchObject([{ isAboveQuota: true }]);
});

it('a process without the role tells mail for domains that receive to come back', async () => {
  const elsewhere = new ReceivedElsewhere(receiving as never, { ofAddress: async () => undefined } as never);
  expect(await elsewhere.decide(visitor, mailFrom, addressOf('a@elsewhere.test'))).toBeUndefined();
  await expect(elsewhere.decide(visitor, mailFrom, addressOf('a@acme.test'))).rejects.toMatchObject({ replyCode: 451 });
  expect(() => elsewhere.receive()).toThrow();
});
