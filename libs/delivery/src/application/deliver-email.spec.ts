import { beforeEach, expect, it } from '@jest/globals';
import { Clock, newId, Slots } from '#kernel';
import { OutgoingEmail } from '#emails';
import { DeliveryOutcome } from '../domain/delivery-outcome.js';
import { ClaimedRecipient, FinishedAttempt } from '../domain/finished-attempt.js';
import { OutboundMessage } from '../domain/outbound-message.js';
import { DeliverEmail } from './deliver-email.js';
import { LaneHealth } from './lane-health.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { MessageRenderer, RenderedMessage } from './ports/message-renderer.port.js';
import { OutcomeLog } from './ports/outcome-log.port.js';
import { ReturnPaths } from './ports/return-paths.port.js';

const deliveredOutcome: DeliveryOutcome = { kind: 'delivered', detail: { durationMs: 1 } };

class SharingTransport extends DeliveryTransport {
  override readonly sharesTransactions = true;
  readonly messages: OutboundMessage[] = [];
  underWay = 0;
  mostUnderWay = 0;

  laneOf = (): string => 'all';
  concurrencyOf = (): number => 10;
  close = (): Promise<void> => Promise.resolve();

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    this.messages.push(message);
    await new Promise(setImmediate);
    this.underWay--;
    return message.recipients.map(() => deliveredOutcome);
  }
}

class GivenContent extends MessageRenderer {
  constructor(private readonly content: RenderedMessage['content']) {
    super();
  }

  async render(): Promise<RenderedMessage> {
    return { returnPathHost: 'send.acme.test', content: this.content, tls: 'opportunistic' };
  }
}

class CollectedEnds extends OutcomeLog {
  readonly attempts: FinishedAttempt[] = [];

  async record(attempt: FinishedAttempt): Promise<void> {
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
let transport: SharingTransport;
let ends: CollectedEnds;

beforeEach(() => {
  transport = new SharingTransport();
  ends = new CollectedEnds();
});

const recipient = (recipientNo: number, size: number): ClaimedRecipient => ({
  emailId,
  recipientNo,
  address: `${recipientNo}@sink.test`,
  size,
  attempt: 1,
  lease: 1,
  queuedAt: new Date('2026-11-21T12:00:00Z'),
});

async function deliver(content: RenderedMessage['content'], size = 1_000): Promise<void> {
  const renderer = new GivenContent(content);
  const deliverEmail = new DeliverEmail(renderer, new NumberedPaths(), transport, ends, new StandingClock());
  const health = new LaneHealth({} as DeliveryQueue, 'all', newId());
  await deliverEmail.execute(
    {} as OutgoingEmail,
    [0, 1, 2].map((no) => recipient(no, size)),
    new Slots(10),
    health,
  );
}

const copy = async (recipientNo: number): Promise<Uint8Array> => {
  if (recipientNo === 7) throw new Error('cannot be rendered');
  return Buffer.from(`copy of ${recipientNo}`);
};
const sent = (): [string, string[]][] =>
  transport.messages.map(({ content, recipients }) => [Buffer.from(content).toString(), [...recipients]]);

it('what is the same for everybody goes in one transaction where the transport shares them', async () => {
  await deliver(Buffer.from('same'));
  expect(sent()).toEqual([['same', ['0@sink.test', '1@sink.test', '2@sink.test']]]);
});

it('a copy for each recipient is a transaction for each, whatever the transport would share', async () => {
  await deliver(copy);
  expect(sent()).toEqual([0, 1, 2].map((no) => [`copy of ${no}`, [`${no}@sink.test`]]));
  expect(transport.mostUnderWay).toBe(3);
  expect(ends.attempts.map(({ outcome }) => outcome.kind)).toEqual(['delivered', 'delivered', 'delivered']);
});

it('copies of a large email are made one after the other', async () => {
  await deliver(copy, 2_000_000);
  expect(transport.messages).toHaveLength(3);
  expect(transport.mostUnderWay).toBe(1);
});

it('one copy that cannot be made waits; the others are sent', async () => {
  await deliver((no) => copy(no === 1 ? 7 : no));
  expect(ends.attempts.map(({ outcome }) => outcome.kind).sort()).toEqual(['deferred', 'delivered', 'delivered']);
  expect(sent().map(([content]) => content)).toEqual(['copy of 0', 'copy of 2']);
});
