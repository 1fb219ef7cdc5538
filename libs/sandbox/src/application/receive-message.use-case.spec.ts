import { beforeEach, expect, it } from '@jest/globals';
import { OwnedDomains } from '#domains';
import { newId, Notices, parseMailbox } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { ReceivedMessage } from '../domain/inbox-message.js';
import { summaryOf } from '../infrastructure/mime/message-summary.js';
import { SandboxInbox } from './ports/inbox.port.js';
import { ReceiveMessage } from './receive-message.use-case.js';

const teamId = newId();
const otherTeamId = newId();
const owners = new Map([
  ['acme.test', teamId],
  ['xn--bcher-kva.test', teamId],
  ['other.test', otherTeamId],
]);
const clock = new FakeClock();
const message = {
  mailFrom: 'bounces+token@send.acme.test',
  recipients: ['ada@sink.test', 'bcc@sink.test'],
  from: 'Acme <a@acme.test>',
  fromAddress: parseMailbox('a@acme.test'),
  subject: 'Hi',
  raw: Buffer.from('From: a@acme.test\r\n\r\nHello'),
};
let kept: ReceivedMessage[];
let add: (message: ReceivedMessage) => Promise<void>;
let receiveMessage: ReceiveMessage;

beforeEach(() => {
  kept = [];
  add = async (received) => void kept.push(received);
  const domains = { teamOf: async (name: string) => owners.get(name) } as OwnedDomains;
  const inbox = { add: (received: ReceivedMessage) => add(received) } as SandboxInbox;
  const notices = { sender: parseMailbox('Postrider <service@acme.test>') } as Notices;
  receiveMessage = new ReceiveMessage(domains, inbox, notices, clock);
});

it('a message is kept, as it came, for the team whose domain and return path it has', async () => {
  await receiveMessage.receive(message);
  const { recipients, from, subject, raw } = message;
  expect(kept).toMatchObject([
    { teamId, from, to: recipients, subject, raw, size: raw.length, receivedAt: clock.now() },
  ]);
});

it('a return path at another domain of the team, in Unicode or with another label, is of the team', async () => {
  await receiveMessage.receive({ ...message, mailFrom: 'bounces+token@Outbound.bücher.test' });
  expect(kept).toMatchObject([{ teamId }]);
});

it.each(['SRS0=mac=ab=acme.test=a@send.other.test', 'bounces+token@send.other.test', 'a@acme.test', ''])(
  'a message with the domain of a team in From, but not with its return path, is kept for no team: <%s>',
  async (mailFrom) => {
    await receiveMessage.receive({ ...message, mailFrom });
    expect(kept).toMatchObject([{ teamId: null }]);
  },
);

it.each([['a@elsewhere.test'], ['']])('a message from "%s" is kept for no team', async (from) => {
  await receiveMessage.receive({ ...message, fromAddress: parseMailbox(from) });
  expect(kept).toMatchObject([{ teamId: null }]);
});

it.each(['Postrider <service@acme.test>', 'SERVICE@acme.test', '=?utf-8?q?B=C3=BCro_=3CWest=3E?= <service@acme.test>'])(
  'a notice of the service is kept for no team: %s',
  async (from) => {
    const raw = Buffer.from(`From: ${from}\r\n\r\nHello`);
    await receiveMessage.receive({ ...message, ...summaryOf(raw), raw });
    expect(kept).toMatchObject([{ teamId: null, raw }]);
  },
);

it('a message that cannot be kept is not taken', async () => {
  add = () => Promise.reject(new Error('the database is away'));
  await expect(receiveMessage.receive(message)).rejects.toThrow('the database is away');
});
