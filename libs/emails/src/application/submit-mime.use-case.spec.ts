import { beforeEach, expect, it } from '@jest/globals';
import { parseMailbox } from '#kernel';
import { InMemorySending, sendingDomain } from '../../../../test/support/in-memory-sending.js';
import { SpooledMime } from '../domain/accepted-email.js';
import { RawSendRequest } from '../domain/raw-email.js';
import { MimeSpool } from './ports/mime-spool.port.js';
import { SubmitMime } from './submit-mime.use-case.js';

class HeldSpool extends MimeSpool {
  held = 0;
  taken = 0;

  async take(_: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    this.held++;
    this.taken++;
    const bytes = Buffer.concat(chunks);
    return { size: bytes.length, bytes };
  }

  release(): void {
    this.held--;
  }
}

let sending: InMemorySending;
let spool: HeldSpool;
let submitMime: SubmitMime;

beforeEach(() => {
  sending = new InMemorySending();
  spool = new HeldSpool();
  submitMime = new SubmitMime(sending.sender, spool, sending.acceptOnce, sending.clock);
});

function aMessage(fields: Partial<RawSendRequest> = {}): RawSendRequest {
  return {
    recipients: ['ada@sink.test'],
    from: parseMailbox(`Acme <hello@${sendingDomain}>`),
    to: [],
    cc: [],
    replyTo: [],
    subject: 'Hello',
    messageId: undefined,
    content: (async function* () {
      yield Buffer.from('From: x\r\n\r\nHi');
    })(),
    ...fields,
  };
}

it('a message is sent unchanged to the recipients of its envelope', async () => {
  const { id } = await submitMime.execute(sending.principal, aMessage());
  expect(Buffer.from((await sending.repository.load([id])).get(id)?.mime ?? []).toString()).toBe('From: x\r\n\r\nHi');
  expect(await sending.repository.find(id)).toMatchObject({ bcc: ['ada@sink.test'], lastEvent: 'sent' });
  expect(sending.queue.enqueued).toMatchObject([{ address: 'ada@sink.test' }]);
});

it('the content is read after all other checks, and always released', async () => {
  await expect(submitMime.execute(sending.principal, aMessage({ recipients: [] }))).rejects.toThrow('no recipients');
  expect(spool.taken).toBe(0);
  sending.quotaError = new Error('quota');
  await expect(submitMime.execute(sending.principal, aMessage())).rejects.toThrow('quota');
  expect([spool.taken, spool.held]).toEqual([1, 0]);
});

it('the same message under the same key is sent once', async () => {
  const first = await submitMime.execute(sending.principal, aMessage({ idempotencyKey: 'k' }));
  expect(await submitMime.execute(sending.principal, aMessage({ idempotencyKey: 'k' }))).toEqual(first);
  expect(spool.held).toBe(0);
});
