import { beforeEach, expect, it } from '@jest/globals';
import { OwnedDomains } from '#domains';
import { ForwardMail } from '#emails';
import type { ForwardRequest } from '#emails';
import { ServiceMailboxes } from '#inbound';
import type { ServiceMessage } from '#inbound';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { ReturnBounces } from './return-bounces.use-case.js';
import { SenderRewriting } from '../domain/forwarding.js';

let rig: InMemoryDomains;
let bounces: ReturnBounces;
let forwarded: ForwardRequest[];
let address: string;

beforeEach(async () => {
  rig = new InMemoryDomains();
  forwarded = [];
  const forwardMail = {
    forward: async (request: ForwardRequest) => {
      forwarded.push(request);
      return { id: newId() };
    },
  } as unknown as ForwardMail;
  const senders = new SenderRewriting(new SecretBox('ab'.repeat(32)));
  bounces = new ReturnBounces(new ServiceMailboxes(), senders, new OwnedDomains(rig.domains), forwardMail, rig.clock);
  await rig.create();
  address = senders.rewritten('ada@customer.test', 'send.acme.test', rig.clock.now()) ?? '';
});

const facts = { from: 'daemon@home.test', to: [], cc: [], bcc: [], replyTo: [], subject: 'Undelivered' };
const bounce = (fields: Partial<ServiceMessage> = {}): ServiceMessage =>
  ({
    id: newId(),
    digest: 'd',
    recipient: address,
    mailFrom: '',
    network: 'n',
    hops: 2,
    isAutomatic: true,
    facts: { ...facts, authors: [], messageId: '', threadId: null, threadKeys: [], attachments: [] },
    content: Buffer.from('bounce'),
    ...fields,
  }) as ServiceMessage;

it('a bounce to a rewritten sender goes on to the original one, with the null sender', async () => {
  expect(await bounces.accepts(address, '')).toBe(true);
  await bounces.take(bounce());
  await bounces.take(bounce());
  expect(forwarded[0]).toMatchObject({ teamId: rig.teamId, recipients: ['ada@customer.test'], mailFrom: '' });
  expect(forwarded[1]?.key).toBe(forwarded[0]?.key);
});

it('what is no bounce, is not ours, or is too old, is not accepted', async () => {
  expect(await bounces.accepts(address, 'eve@evil.test')).toBe(false);
  expect(await bounces.accepts(address.replace('ada', 'eve'), '')).toBe(false);
  expect(await bounces.accepts(address.replace('send.acme', 'send.other'), '')).toBe(false);
  expect(await bounces.accepts('support@acme.test', '')).toBe(false);
  rig.clock.advance(30 * 86_400_000);
  expect(await bounces.accepts(address, '')).toBe(false);
});

it('other mail with the null sender is refused, and a bounce in prose is not', async () => {
  const written = { ...facts, authors: [], messageId: '', threadId: null, threadKeys: [], attachments: [] };
  const letter = bounce({ isAutomatic: false, facts: { ...written, from: 'eve@evil.test' } });
  await expect(bounces.take(letter)).rejects.toThrow('takes only bounces');
  await bounces.take(bounce({ isAutomatic: false, facts: { ...written, from: 'MAILER-DAEMON@home.test' } }));
  expect([bounces.passesOn, forwarded.length]).toEqual([true, 1]);
});

it('a bounce in a loop ends here', async () => {
  await bounces.take(bounce({ hops: 31 }));
  expect(forwarded).toEqual([]);
});
