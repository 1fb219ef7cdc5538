import { beforeEach, expect, it } from '@jest/globals';
import { DomainOwners } from '#domains';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { ReceivedMessage } from '../domain/inbox-message.js';
import { Inbox } from './ports/inbox.port.js';
import { ReceiveMessage } from './receive-message.use-case.js';

const teamId = newId();
const clock = new FakeClock();
const message = {
  recipients: ['ada@sink.test', 'bcc@sink.test'],
  from: 'Acme <a@acme.test>',
  fromDomain: 'acme.test',
  subject: 'Hi',
  raw: Buffer.from('From: a@acme.test\r\n\r\nHello'),
};
let kept: ReceivedMessage[];
let add: (message: ReceivedMessage) => Promise<void>;
let receiveMessage: ReceiveMessage;

beforeEach(() => {
  kept = [];
  add = async (received) => void kept.push(received);
  const owners = { teamOf: async (name: string) => (name === 'acme.test' ? teamId : undefined) } as DomainOwners;
  const inbox = { add: (received: ReceivedMessage) => add(received) } as Inbox;
  receiveMessage = new ReceiveMessage(owners, inbox, clock);
});

it('a message is kept, as it came, for the team that has the domain in its From field', async () => {
  await receiveMessage.execute(message);
  const { recipients, from, subject, raw } = message;
  expect(kept).toMatchObject([
    { teamId, from, to: recipients, subject, raw, size: raw.length, receivedAt: clock.now() },
  ]);
});

it.each([['other.test'], [undefined]])('a message from %s is kept for no team', async (fromDomain) => {
  await receiveMessage.execute({ ...message, fromDomain });
  expect(kept).toMatchObject([{ teamId: null }]);
});

it('a message that cannot be kept is not taken', async () => {
  add = () => Promise.reject(new Error('the database is away'));
  await expect(receiveMessage.execute(message)).rejects.toThrow('the database is away');
});
