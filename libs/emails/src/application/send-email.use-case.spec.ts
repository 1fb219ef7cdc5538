import { beforeEach, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { anIdempotentRequest, aRequest, InMemorySending } from '../../../../test/support/in-memory-sending.js';
import { SendEmail } from './send-email.use-case.js';

let sending: InMemorySending;
let sendEmail: SendEmail;

beforeEach(() => {
  sending = new InMemorySending();
  sendEmail = new SendEmail(sending.composeEmail, sending.linkedAttachments, sending.acceptOnce);
});

describe('sending an email', () => {
  it('makes it readable and queues each recipient once', async () => {
    const request = aRequest({ to: ['ada@sink.test', 'ADA@sink.test'], bcc: 'eve@sink.test', html: '<p>Hi</p>' });
    const { id } = await sendEmail.execute(sending.principal, request);
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
    const scheduled = await sendEmail.execute(sending.principal, aRequest({ scheduledAt }));
    const suppressed = await sendEmail.execute(sending.principal, aRequest({ to: 'gone@sink.test' }));
    expect(sending.queue.enqueued).toEqual([]);
    expect((await sending.repository.find(scheduled.id))?.lastEvent).toBe('scheduled');
    expect((await sending.repository.find(suppressed.id))?.lastEvent).toBe('suppressed');
  });

  it('attaches the file of a URL', async () => {
    sending.sources.byUrl.set('https://files.test/a', { content: Buffer.from('file'), contentType: 'text/plain' });
    const attachments = [{ path: 'https://files.test/a', filename: 'a.txt' }];
    const { id } = await sendEmail.execute(sending.principal, aRequest({ attachments }));
    const outgoing = (await sending.repository.load([id])).get(id);
    expect([...(outgoing?.attachmentContents.values() ?? [])].map(String)).toEqual(['102,105,108,101']);
  });

  it('returns the first id for a repetition, even if it would be refused now', async () => {
    const idempotent = anIdempotentRequest(sending.teamId);
    const send = () => sendEmail.execute(sending.principal, aRequest({}), idempotent);
    const first = await send();
    sending.room.isFull = true;
    expect(await send()).toEqual(first);
    expect(sending.emails.byId.size).toBe(1);
  });

  it('stores nothing without permission, on a full disk or with a used-up quota', async () => {
    const viewer = Principal.ofUser({ id: 'viewer', teamId: sending.teamId, role: 'viewer' });
    await expect(sendEmail.execute(viewer, aRequest({}))).rejects.toMatchObject({ code: 'invalid_permission' });
    sending.room.isFull = true;
    await expect(sendEmail.execute(sending.principal, aRequest({}))).rejects.toMatchObject({ kind: 'unavailable' });
    sending.room.isFull = false;
    sending.quotaError = new Error('quota');
    await expect(sendEmail.execute(sending.principal, aRequest({}))).rejects.toThrow('quota');
    expect(sending.emails.byId.size).toBe(0);
  });

  it('accepts a notice of the service although there is no room for other mail', async () => {
    sending.room.isFull = true;
    const { id } = await sendEmail.execute(Principal.ofService(sending.teamId), aRequest({}));
    expect((await sending.repository.find(id))?.actor).toEqual({ kind: 'service' });
  });
});
