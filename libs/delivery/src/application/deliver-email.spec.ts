import { beforeEach, expect, it } from '@jest/globals';
import { Clock, newId, Slots } from '#kernel';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { ClaimedRecipient, DeliveryOutcome, FinishedAttempt, OutboundMessage } from '../domain/attempt.js';
import { DeliverEmail, Recipients, LaneHealth, SettleAttempts } from './deliver-email.js';
import { ContentsInDelivery } from './contents-in-delivery.js';
import { LaneWindow } from './lane-window.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { Envelope, MessageRenderer, RenderedContent, ReturnPaths } from './ports/message-renderer.port.js';

const deliveredOutcome: DeliveryOutcome = { kind: 'delivered', detail: { durationMs: 1 } };

class SharingTransport extends DeliveryTransport {
  override readonly sharesTransactions = true;
  readonly messages: { readonly recipients: readonly string[]; readonly content: string }[] = [];
  underWay = 0;
  maxUnderWay = 0;

  concurrencyOf = (): number => 10;
  close = (): Promise<void> => Promise.resolve();

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    this.maxUnderWay = Math.max(this.maxUnderWay, ++this.underWay);
    try {
      const { bytes } = await message.content();
      this.messages.push({ recipients: message.recipients, content: Buffer.from(bytes).toString() });
      await new Promise(setImmediate);
    } finally {
      this.underWay--;
    }
    return message.recipients.map(() => deliveredOutcome);
  }
}

class GivenContent extends MessageRenderer {
  constructor(
    private readonly content: RenderedContent,
    private readonly mayBePersonal = typeof content === 'function',
  ) {
    super();
  }

  async envelope(): Promise<Envelope> {
    return { returnPathHost: 'send.acme.test', tls: 'opportunistic', mayBePersonal: this.mayBePersonal };
  }

  async render(): Promise<RenderedContent> {
    return this.content;
  }
}

const storedEmails = {
  load: async (ids: readonly string[]) => new Map(ids.map((id) => [id, {} as OutgoingEmail])),
} as unknown as OutgoingEmails;

class CollectedEnds {
  readonly attempts: FinishedAttempt[] = [];

  async settle(attempt: FinishedAttempt): Promise<void> {
    this.attempts.push(attempt);
  }
}

class NumberedPaths extends ReturnPaths {
  of = ({ recipientNo }: { recipientNo: number }, host: string): string => `${recipientNo}@${host}`;
  ownerOf = (): undefined => undefined;
}

class StandingClock extends Clock {
  now = (): Date => new Date('2026-11-21T12:00:00Z');
}

const emailId = newId();
const teamId = newId();
const domainId = newId();
let transport: SharingTransport;
let ends: CollectedEnds;
let returnedCount: number;

beforeEach(() => {
  transport = new SharingTransport();
  ends = new CollectedEnds();
  returnedCount = 0;
});

const recipient = (recipientNo: number, size: number): ClaimedRecipient => ({
  emailId,
  teamId,
  domainId,
  recipientNo,
  address: `${recipientNo}@sink.test`,
  size,
  attempt: 1,
  lease: 1,
  queuedAt: new Date('2026-11-21T12:00:00Z'),
});

interface Circumstances {
  readonly size?: number;
  readonly emails?: OutgoingEmails;
  readonly mayBePersonal?: boolean;
  readonly isPersonal?: boolean;
}

async function deliver(
  content: RenderedContent,
  { size = 1_000, emails = storedEmails, mayBePersonal, isPersonal }: Circumstances = {},
): Promise<void> {
  const renderer = new GivenContent(content, mayBePersonal);
  const contents = new ContentsInDelivery(emails, renderer);
  const attempts = ends as unknown as SettleAttempts;
  const paths = new NumberedPaths();
  const deliverEmail = new DeliverEmail(renderer, contents, paths, transport, attempts, new StandingClock());
  const queue = { returnUntried: async (_: string, given: readonly unknown[]) => void (returnedCount += given.length) };
  const health = new LaneHealth(queue as unknown as DeliveryQueue, 'all', newId());
  const window = new LaneWindow(10, { held: 0 });
  const run = { lane: 'all', slots: new Slots(10), health, window };
  await deliverEmail.deliver(
    [0, 1, 2].map((no) => ({ ...recipient(no, size), isPersonal })) as unknown as Recipients,
    run,
  );
}

const copy = async (recipientNo: number): Promise<Uint8Array> => {
  if (recipientNo === 7) throw new Error('cannot be rendered');
  return Buffer.from(`copy of ${recipientNo}`);
};
const sent = (): [string, string[]][] =>
  transport.messages.map(({ content, recipients }) => [content, [...recipients]]);

it('what is the same for everybody goes in one transaction where the transport shares them', async () => {
  await deliver(Buffer.from('same'));
  expect(sent()).toEqual([['same', ['0@sink.test', '1@sink.test', '2@sink.test']]]);
});

it('a copy for each recipient is a transaction for each, whatever the transport would share', async () => {
  await deliver(copy);
  expect(sent()).toEqual([0, 1, 2].map((no) => [`copy of ${no}`, [`${no}@sink.test`]]));
  expect(transport.maxUnderWay).toBe(3);
  expect(ends.attempts.map(({ outcome }) => outcome.kind)).toEqual(['delivered', 'delivered', 'delivered']);
});

it('a copy of an email with its own links is a transaction, although its domain does not track', async () => {
  await deliver(copy, { mayBePersonal: false, isPersonal: true });
  expect(sent()).toEqual([0, 1, 2].map((no) => [`copy of ${no}`, [`${no}@sink.test`]]));
});

it('copies of an email that fills the share of its team are in memory one after the other', async () => {
  let held = 0;
  let maxHeld = 0;
  const measured = async (no: number): Promise<Uint8Array> => {
    maxHeld = Math.max(maxHeld, ++held);
    return copy(no).finally(() => setImmediate(() => held--));
  };
  await deliver(measured, { size: 30_000_000 });
  expect(transport.messages).toHaveLength(3);
  expect(maxHeld).toBe(1);
});

it('one copy that cannot be made waits; the others are sent', async () => {
  await deliver((no) => copy(no === 1 ? 7 : no));
  expect(ends.attempts.map(({ outcome }) => outcome.kind).sort()).toEqual(['deferred', 'delivered', 'delivered']);
  expect(sent().map(([content]) => content)).toEqual(['copy of 0', 'copy of 2']);
});

it.each<[string, object, number, string[]]>([
  ['a database that is away is no fault of the email: it is given back untried', { code: 'ECONNREFUSED' }, 3, []],
  ['content that cannot be read has its email wait', {}, 0, ['deferred', 'deferred', 'deferred']],
])('%s', async (_, details, returned, kinds) => {
  const load = (): Promise<never> => Promise.reject(Object.assign(new Error('no content'), details));
  await deliver(Buffer.from('same'), { emails: { load } as unknown as OutgoingEmails });
  expect([returnedCount, ends.attempts.map(({ outcome }) => outcome.kind)]).toEqual([returned, kinds]);
});
