import { beforeEach, expect, it } from '@jest/globals';
import { ValidationError } from '#kernel';
import type { ArrivingMessage, InboundRecipient, Visitor } from '#smtp';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { ContentSpool, SpooledContent } from './ports/content-spool.port.js';
import { MessageJudge } from './ports/message-judge.port.js';
import { ServiceMailbox, ServiceMailboxes, ServiceMessage } from './ports/service-mailbox.port.js';
import { ReceiveMail } from './receive-mail.use-case.js';
import { ReceiveServiceMail } from './receive-service-mail.use-case.js';

class Reports extends ServiceMailbox {
  readonly taken: ServiceMessage[] = [];
  refusal: Error | undefined;

  async accepts(recipient: string): Promise<boolean> {
    return recipient.startsWith('reports@');
  }

  async take(message: ServiceMessage): Promise<void> {
    if (this.refusal !== undefined) throw this.refusal;
    this.taken.push(message);
  }
}

class HeldSpool extends ContentSpool {
  held = 0;
  loaded = 0;

  async take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledContent> {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    this.held++;
    const bytes = Buffer.concat(pieces);
    return { id, size: bytes.length, digest: 'digest', bytes };
  }

  async load({ bytes = new Uint8Array() }: SpooledContent) {
    this.loaded++;
    return { bytes: Uint8Array.from(bytes), release: () => void this.loaded-- };
  }

  async *read(): AsyncGenerator<Uint8Array> {}

  release(): void {
    this.held--;
  }
}

const visitor: Visitor = { address: '192.0.2.7', network: '192.0.2.0/24', helo: 'mx.test', tls: null };
const facts = { from: 'a@mailbox.test' };
const verdicts = { spf: { result: 'pass', domain: 'mailbox.test' } };
let mailbox: Reports;
let spool: HeldSpool;
let passedOn: string[];
let receive: ReceiveServiceMail;

beforeEach(() => {
  passedOn = [];
  spool = new HeldSpool();
  const mailboxes = new ServiceMailboxes();
  mailbox = new Reports(mailboxes);
  const judge = {
    anticipate: () => undefined,
    begin: () => ({ header: new Uint8Array(), hops: 3, finish: async () => ({ facts, verdicts }) }),
  } as unknown as MessageJudge;
  const receiveMail = {
    decide: async (_: Visitor, __: string, { address }: { address: string }) => ({ address }),
    receive: async ({ recipients }: ArrivingMessage) => {
      passedOn.push(...recipients.map(({ address }) => address));
      return { id: 'stored', receipt: 'r' };
    },
    confirm: (receipt: string) => void passedOn.push(receipt),
  } as unknown as ReceiveMail;
  receive = new ReceiveServiceMail(mailboxes, receiveMail, judge, spool, new FakeClock());
});

async function bring(...addresses: string[]) {
  const decided = await Promise.all(
    addresses.map((address) => receive.decide(visitor, 'x@mailbox.test', { address, domain: 'acme.test' })),
  );
  return receive.receive({
    visitor,
    mailFrom: 'x@mailbox.test',
    smtpUtf8: false,
    recipients: decided as InboundRecipient[],
    content: {
      header: async () => new Uint8Array(),
      all: async function* () {
        yield Buffer.from('content');
      },
    },
  });
}

it('mail to an address of the service is judged and given to its mailbox, and kept nowhere', async () => {
  await bring('reports@acme.test');
  const [message] = mailbox.taken;
  expect(message).toMatchObject({
    ...{
      recipient: 'reports@acme.test',
      mailFrom: 'x@mailbox.test',
      network: '192.0.2.0/24',
      hops: 3,
      digest: 'digest',
    },
    ...{ facts, verdicts },
  });
  expect(Buffer.from(message?.content ?? []).toString()).toBe('content');
  expect([spool.held, spool.loaded, passedOn.length]).toEqual([0, 0, 0]);
});

it('all other mail is received as usual', async () => {
  expect(await bring('support@acme.test')).toEqual({ id: 'stored', receipt: 'r' });
  receive.confirm('r');
  expect(passedOn).toEqual(['support@acme.test', 'r']);
});

it('a refusal of the mailbox is the reply, and nothing is held', async () => {
  mailbox.refusal = new ValidationError('no report');
  await expect(bring('reports@acme.test')).rejects.toThrow('no report');
  expect([spool.held, spool.loaded]).toEqual([0, 0]);
});

it('addresses of the service are known as such, and a message for both is refused', async () => {
  const decide = (address: string) => receive.decide(visitor, 'x@mailbox.test', { address, domain: 'acme.test' });
  expect((await decide('reports@acme.test'))?.isOfService).toBe(true);
  expect((await decide('support@acme.test'))?.isOfService).toBeUndefined();
  await expect(bring('reports@acme.test', 'support@acme.test')).rejects.toMatchObject({ replyCode: 554 });
  expect([mailbox.taken.length, passedOn.length]).toEqual([0, 0]);
});
