import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Principal } from '#identity';
import { parseMailbox, ValidationError } from '#kernel';
import {
  anIdempotentRequest,
  aRequest,
  InMemorySending,
  sendingDomain,
} from '../../../../test/support/fakes/in-memory-sending.js';
import { BatchItem } from '../domain/batch.js';
import { RawSendRequest } from '../domain/raw-email.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

describe('sending an email', () => {
  it('makes it readable and queues each recipient once', async () => {
    const request = aRequest({ to: ['ada@sink.test', 'ADA@sink.test'], bcc: 'eve@sink.test', html: '<p>Hi</p>' });
    const { id } = await sending.acceptEmails.send(sending.principal, request);
    expect(await sending.repository.find(id, sending.teamId)).toMatchObject({
      actor: sending.principal.actor,
      domainId: sending.domainId,
      lastEvent: 'sent',
      contentId: null,
    });
    expect((await sending.repository.load([id])).get(id)?.body).toEqual({ html: '<p>Hi</p>', text: 'Hi' });
    expect(sending.queue.enqueued.map(({ address }) => address)).toEqual(['ada@sink.test', 'eve@sink.test']);
  });

  it('queues neither scheduled emails nor suppressed recipients', async () => {
    sending.suppressed.set('gone@sink.test', 'bounce');
    const scheduledAt = new Date(sending.clock.now().getTime() + 60_000);
    const scheduled = await sending.acceptEmails.send(sending.principal, aRequest({ scheduledAt }));
    const suppressed = await sending.acceptEmails.send(sending.principal, aRequest({ to: 'gone@sink.test' }));
    expect(sending.queue.enqueued).toEqual([]);
    expect((await sending.repository.find(scheduled.id))?.lastEvent).toBe('scheduled');
    expect((await sending.repository.find(suppressed.id))?.lastEvent).toBe('suppressed');
  });

  it('attaches the file of a URL', async () => {
    sending.sources.byUrl.set('https://files.test/a', { content: Buffer.from('file'), contentType: 'text/plain' });
    const attachments = [{ path: 'https://files.test/a', filename: 'a.txt' }];
    const { id } = await sending.acceptEmails.send(sending.principal, aRequest({ attachments }));
    const outgoing = (await sending.repository.load([id])).get(id);
    expect([...(outgoing?.attachmentContents.values() ?? [])].map(String)).toEqual(['102,105,108,101']);
  });

  it('returns the first id for a repetition, even if it would be refused now', async () => {
    const idempotent = anIdempotentRequest(sending.teamId);
    const send = () => sending.acceptEmails.send(sending.principal, aRequest({}), idempotent);
    const first = await send();
    sending.room.isFull = true;
    expect(await send()).toEqual(first);
    expect(sending.emails.byId.size).toBe(1);
  });

  it('stores nothing without permission, on a full disk or with a used-up quota', async () => {
    const viewer = Principal.ofUser({ id: 'viewer', teamId: sending.teamId, role: 'viewer' });
    await expect(sending.acceptEmails.send(viewer, aRequest({}))).rejects.toMatchObject({ code: 'invalid_permission' });
    sending.room.isFull = true;
    await expect(sending.acceptEmails.send(sending.principal, aRequest({}))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    sending.room.isFull = false;
    sending.quotaError = new Error('quota');
    await expect(sending.acceptEmails.send(sending.principal, aRequest({}))).rejects.toThrow('quota');
    expect(sending.emails.byId.size).toBe(0);
  });

  it('accepts a notice of the service although there is no room for other mail', async () => {
    sending.room.isFull = true;
    const { id } = await sending.acceptEmails.send(Principal.ofService(sending.teamId), aRequest({}));
    expect((await sending.repository.find(id))?.actor).toEqual({ kind: 'service' });
  });
});

describe('sending a batch', () => {
  const batch = (permissive: boolean, ...items: BatchItem[]) => ({ permissive, items });
  const fault = new ValidationError('not an email');

  it('the response to a batch has the order of its items', async () => {
    const items = ['a', 'b', 'c'].map((subject) => aRequest({ subject }));
    const { data } = await sending.acceptEmails.sendBatch(sending.principal, batch(false, ...items));
    const emails = await Promise.all(data.map(({ id }) => sending.repository.find(id)));
    expect(emails.map((email) => email?.subject)).toEqual(['a', 'b', 'c']);
  });

  it('a strict batch is refused as a whole because of its first fault', async () => {
    const items = [aRequest({}), fault, aRequest({ to: 'x' })];
    await expect(sending.acceptEmails.sendBatch(sending.principal, batch(false, ...items))).rejects.toBe(fault);
    expect(sending.emails.byId.size).toBe(0);
  });

  it('a permissive batch accepts the valid emails and lists the faults', async () => {
    const { data, errors } = await sending.acceptEmails.sendBatch(
      sending.principal,
      batch(true, aRequest({}), fault, aRequest({})),
    );
    expect(data).toHaveLength(2);
    expect(errors).toEqual([{ index: 1, message: 'not an email' }]);
  });

  it('a repetition gets the first response', async () => {
    const send = () =>
      sending.acceptEmails.sendBatch(
        sending.principal,
        batch(true, aRequest({}), fault),
        anIdempotentRequest(sending.teamId),
      );
    expect(await send()).toEqual(await send());
    expect(sending.emails.byId.size).toBe(1);
  });
});

describe('submitting a finished message', () => {
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
    const { id } = await sending.acceptEmails.submit(sending.principal, aMessage());
    expect(Buffer.from((await sending.repository.load([id])).get(id)?.mime ?? []).toString()).toBe('From: x\r\n\r\nHi');
    expect(await sending.repository.find(id)).toMatchObject({ bcc: ['ada@sink.test'], lastEvent: 'sent' });
    expect(sending.queue.enqueued).toMatchObject([{ address: 'ada@sink.test' }]);
  });

  it('the content is read after all other checks, and always released', async () => {
    await expect(sending.acceptEmails.submit(sending.principal, aMessage({ recipients: [] }))).rejects.toThrow(
      'no recipients',
    );
    expect(sending.spool.taken).toBe(0);
    sending.quotaError = new Error('quota');
    await expect(sending.acceptEmails.submit(sending.principal, aMessage())).rejects.toThrow('quota');
    expect([sending.spool.taken, sending.spool.held]).toEqual([1, 0]);
  });

  it('the same message under the same key is sent once', async () => {
    const first = await sending.acceptEmails.submit(sending.principal, aMessage({ idempotencyKey: 'k' }));
    expect(await sending.acceptEmails.submit(sending.principal, aMessage({ idempotencyKey: 'k' }))).toEqual(first);
    expect(sending.spool.held).toBe(0);
  });
});

describe('a quota', () => {
  it('counts each recipient, and refuses before the transaction unless the request may be a repetition', async () => {
    const refuseBeyond = jest.spyOn(sending.quotas, 'refuseBeyond');
    sending.quotaError = new Error('used up');
    const request = aRequest({ to: ['a@sink.test', 'b@sink.test'] });
    await expect(sending.acceptEmails.send(sending.principal, request)).rejects.toThrow('used up');
    expect(refuseBeyond.mock.calls).toEqual([[{ teamId: sending.teamId, messages: 2 }]]);
    const idempotent = anIdempotentRequest(sending.teamId);
    await expect(sending.acceptEmails.send(sending.principal, request, idempotent)).rejects.toThrow('used up');
    expect([refuseBeyond.mock.calls.length, sending.emails.byId.size]).toEqual([1, 0]);
  });

  it('that is used up does not refuse a repetition', async () => {
    const send = () => sending.acceptEmails.send(sending.principal, aRequest({}), anIdempotentRequest(sending.teamId));
    const first = await send();
    sending.quotaError = new Error('used up');
    expect(await send()).toEqual(first);
  });
});

describe('an idempotency key', () => {
  it('gets a refused request the first response if it is a repetition, and otherwise its refusal', async () => {
    const send = (fields: object, fingerprint?: string) =>
      sending.acceptEmails.send(
        sending.principal,
        aRequest(fields),
        anIdempotentRequest(sending.teamId, 'key', fingerprint),
      );
    const invalid = { to: 'nobody' };
    await expect(send(invalid)).rejects.toThrow('Invalid `to`');
    const first = await send({});
    expect(await send(invalid)).toEqual(first);
    await expect(send(invalid, 'different')).rejects.toMatchObject({ code: 'invalid_idempotent_request' });
    sending.room.check = () => {
      throw new Error('bug');
    };
    await expect(send({})).rejects.toThrow('bug');
  });

  it('that cannot be used affects only its own request of a group', async () => {
    const accept = (subject: string, key?: string, fingerprint?: string) =>
      sending.acceptEmails.send(
        sending.principal,
        aRequest({ subject }),
        key === undefined ? undefined : anIdempotentRequest(sending.teamId, key, fingerprint),
      );
    const known = await accept('known', 'known');
    sending.clock.advance(1_000);

    const results = await Promise.allSettled([
      accept('0', 'known'),
      accept('1'),
      accept('2', 'new'),
      accept('3', 'new'),
      accept('4', 'known', 'different'),
    ]);

    expect(results).toEqual([
      { status: 'fulfilled', value: known },
      { status: 'fulfilled', value: { id: expect.any(String) } },
      { status: 'fulfilled', value: { id: expect.any(String) } },
      { status: 'rejected', reason: expect.objectContaining({ code: 'concurrent_idempotent_requests' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'invalid_idempotent_request' }) },
    ]);
    expect([...sending.emails.byId.values()].map(({ email }) => email.subject)).toEqual(['known', '1', '2']);
  });
});
