import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryMessageStore } from '#emails';
import { newId, ValidationError } from '#kernel';
import { clean, InMemoryReceiving } from '../../../../test/support/fakes/in-memory-receiving.js';
import { ContentSpool, LoadedContent, SpooledContent } from './content-spool.js';
import { ServiceMailbox, ServiceMessage } from './ports/service-mailbox.port.js';

class Reports extends ServiceMailbox {
  override passesOn = false;
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

/** Counts what is held. */
class CountedSpool extends ContentSpool {
  held = 0;
  loaded = 0;

  override async take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledContent> {
    const taken = await super.take(id, content);
    this.held++;
    return taken;
  }

  override async load(content: SpooledContent, owner: string): Promise<LoadedContent> {
    const loaded = await super.load(content, owner);
    this.loaded++;
    return {
      bytes: loaded.bytes,
      release: () => {
        this.loaded--;
        loaded.release();
      },
    };
  }

  override release(content: SpooledContent): void {
    this.held--;
    super.release(content);
  }
}

const visitor = { address: '192.0.2.7', network: '192.0.2.0/24', helo: 'mx.test', tls: null };
const mailFrom = 'x@mailbox.test';
const domain = { id: newId(), teamId: newId(), name: 'acme.test', isProven: true, isMailHost: true };
let rig: InMemoryReceiving;
let mailbox: Reports;
let spool: CountedSpool;

beforeEach(() => {
  spool = new CountedSpool(new InMemoryMessageStore());
  rig = new InMemoryReceiving({ find: async () => domain }, spool);
  mailbox = new Reports(rig.mailboxes);
});

const decide = (address: string) => rig.receiveMail.decide(visitor, mailFrom, { address, domain: 'acme.test' });

async function bring(...addresses: string[]) {
  const decided = await Promise.all(addresses.map(decide));
  return rig.receiveMail.receive({
    visitor,
    mailFrom,
    smtpUtf8: false,
    recipients: decided.filter((recipient) => recipient !== undefined),
    content: {
      header: async () => new Uint8Array(),
      all: async function* () {
        yield Buffer.from('content');
      },
    },
  });
}

it('mail to an address of the service is judged and given to its mailbox, and kept nowhere', async () => {
  rig.hops = 3;
  await bring('reports@acme.test');
  const [message] = mailbox.taken;
  expect(message).toMatchObject({
    recipient: 'reports@acme.test',
    mailFrom,
    network: '192.0.2.0/24',
    hops: 3,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    facts: { from: 'ada@customer.test' },
    verdicts: clean,
  });
  expect(Buffer.from(message?.content ?? []).toString()).toBe('content');
  expect([spool.held, spool.loaded, rig.emails.emails.length]).toEqual([0, 0, 0]);
});

it('mail that goes on to somebody else is refused like other mail', async () => {
  rig.verdicts = { ...clean, virus: { result: 'infected', name: 'Eicar' } };
  mailbox.passesOn = true;
  await expect(bring('reports@acme.test')).rejects.toMatchObject({ replyCode: 550, enhancedCode: '5.7.1' });
  expect([mailbox.taken.length, spool.held]).toEqual([0, 0]);
  mailbox.passesOn = false;
  await bring('reports@acme.test');
  expect(mailbox.taken).toHaveLength(1);
});

it('all other mail is received as usual', async () => {
  const { id, receipt } = await bring('support@acme.test');
  expect(rig.emails.emails).toMatchObject([{ id, teamId: domain.teamId, recipients: ['support@acme.test'] }]);
  expect([receipt === undefined, mailbox.taken.length, spool.held, spool.loaded]).toEqual([false, 0, 0, 0]);
});

it('a refusal of the mailbox is the reply, and nothing is held', async () => {
  mailbox.refusal = new ValidationError('no report');
  await expect(bring('reports@acme.test')).rejects.toThrow('no report');
  expect([spool.held, spool.loaded]).toEqual([0, 0]);
});

it('addresses of the service are known as such, and a message for both is refused', async () => {
  expect((await decide('reports@acme.test'))?.isOfService).toBe(true);
  expect((await decide('support@acme.test'))?.isOfService).toBeUndefined();
  await expect(bring('reports@acme.test', 'support@acme.test')).rejects.toMatchObject({ replyCode: 554 });
  expect([mailbox.taken.length, rig.emails.emails.length]).toEqual([0, 0]);
});

it('mail of this service to its own domains is for teams, whatever the address', async () => {
  expect(
    await rig.receiveMail.decideLocal(mailFrom, { address: 'reports@acme.test', domain: 'acme.test' }),
  ).toMatchObject({
    teamId: domain.teamId,
  });
});
