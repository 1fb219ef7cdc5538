import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemorySending } from '../../../../test/support/in-memory-sending.js';
import { SpooledMime } from '../domain/accepted-email.js';
import { ForwardMail, ForwardRequest } from './forward-mail.use-case.js';
import { MimeSpool } from './ports/mime-spool.port.js';

class HeldSpool extends MimeSpool {
  held = 0;

  async take(_: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    this.held++;
    const bytes = Buffer.concat(chunks);
    return { size: bytes.length, bytes };
  }

  release(): void {
    this.held--;
  }
}

let sending: InMemorySending;
let spool: HeldSpool;
let forwardMail: ForwardMail;
let isFull: boolean;

beforeEach(() => {
  sending = new InMemorySending();
  spool = new HeldSpool();
  isFull = false;
  const room = {
    check: () => {
      if (isFull) throw new Error('no room');
    },
  };
  forwardMail = new ForwardMail(spool, sending.acceptOnce, room, sending.clock);
});

const request = (fields: Partial<ForwardRequest> = {}): ForwardRequest => ({
  teamId: sending.principal.teamId,
  domainId: newId(),
  region: 'us-east-1',
  receivedId: newId(),
  recipients: ['bob@home.test'],
  mailFrom: 'SRS0=x@send.acme.test',
  from: 'ada\0@customer.test',
  to: ['support@acme.test'],
  subject: 'Half \ud800',
  messageId: '<1@customer.test>',
  key: 'k',
  content: (async function* () {
    yield Buffer.from('From: x\r\n\r\nHi');
  })(),
  ...fields,
});

it('a message is passed on as it is, with its envelope sender, to its recipients', async () => {
  const { id } = await forwardMail.execute(request());
  expect(Buffer.from((await sending.repository.load([id])).get(id)?.mime ?? []).toString()).toBe('From: x\r\n\r\nHi');
  expect(await sending.repository.find(id)).toMatchObject({
    actor: { kind: 'service' },
    from: 'ada@customer.test',
    subject: 'Half \ufffd',
    bcc: ['bob@home.test'],
    lastEvent: 'sent',
  });
  expect(spool.held).toBe(0);
});

it('the same message again is the first email, whatever the attempt', async () => {
  const first = await forwardMail.execute(request());
  expect(await forwardMail.execute(request())).toEqual(first);
  expect(await forwardMail.execute(request({ key: 'other' }))).not.toEqual(first);
});

it('nothing is passed on where there is no room', async () => {
  isFull = true;
  await expect(forwardMail.execute(request())).rejects.toThrow('no room');
  expect(spool.held).toBe(0);
});
