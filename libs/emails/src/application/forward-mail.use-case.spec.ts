import { beforeEach, expect, it, jest } from '@jest/globals';
import { newId } from '#kernel';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { ForwardMail, ForwardRequest } from './forward-mail.use-case.js';

let sending: InMemorySending;
let forwardMail: ForwardMail;
let isFull: boolean;

beforeEach(() => {
  sending = new InMemorySending();
  isFull = false;
  const room = {
    check: () => {
      if (isFull) throw new Error('no room');
    },
  };
  forwardMail = new ForwardMail(sending.spool, sending.acceptEmails, room, sending.clock);
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
  const { id } = await forwardMail.forward(request());
  expect(Buffer.from((await sending.repository.load([id])).get(id)?.mime ?? []).toString()).toBe('From: x\r\n\r\nHi');
  expect(await sending.repository.find(id)).toMatchObject({
    actor: { kind: 'service' },
    from: 'ada@customer.test',
    subject: 'Half \ufffd',
    bcc: ['bob@home.test'],
    lastEvent: 'sent',
  });
  expect(sending.spool.held).toBe(0);
});

it('the same message again is the first email, whatever the attempt', async () => {
  const first = await forwardMail.forward(request());
  expect(await forwardMail.forward(request())).toEqual(first);
  expect(await forwardMail.forward(request({ key: 'other' }))).not.toEqual(first);
});

it('the key under which a forward is remembered names no address', async () => {
  const accept = jest.spyOn(sending.acceptEmails, 'accept');
  await forwardMail.forward(request({ key: 'route 1 to bob@home.test' }));
  expect(accept.mock.calls[0]?.[1]?.key).toMatch(/^[0-9a-f]{64}$/);
});

it('nothing is passed on where there is no room', async () => {
  isFull = true;
  await expect(forwardMail.forward(request())).rejects.toThrow('no room');
  expect(sending.spool.held).toBe(0);
});
