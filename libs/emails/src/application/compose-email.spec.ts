import { beforeEach, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId, parseMailbox } from '#kernel';
import type { Mailbox } from '#kernel';
import { InMemorySending, sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

describe('authorizing the sender', () => {
  const from = (domain: string): Mailbox => parseMailbox(`a@${domain}`) as Mailbox;
  const key = (domainId: string) =>
    Principal.ofApiKey({ id: 'key', teamId: sending.teamId, permission: 'sending_access', domainId });

  it('returns the sender with the verified domain of the address', async () => {
    const sender = await sending.sender.authorize(sending.principal, from(sendingDomain));
    expect(sender).toEqual({
      teamId: sending.teamId,
      actor: sending.principal.actor,
      domainId: sending.domainId,
      region: 'eu-west-1',
    });
    await expect(sending.sender.authorize(sending.principal, from('other.test'))).rejects.toThrow('not verified');
  });

  it('refuses another domain to a key that is restricted to one', async () => {
    await expect(sending.sender.authorize(key(sending.domainId), from(sendingDomain))).resolves.toBeDefined();
    await expect(sending.sender.authorize(key(newId()), from(sendingDomain))).rejects.toThrow('one domain only');
  });
});

describe('composing', () => {
  it('lists every address once, and sets sender, domain and time', async () => {
    const { email, recipients } = await sending.compose({ to: ['a@sink.test', 'A@sink.test'], cc: 'b@sink.test' });
    expect(recipients).toEqual([
      { no: 0, address: 'a@sink.test' },
      { no: 1, address: 'b@sink.test' },
    ]);
    expect(email).toMatchObject({ actor: sending.principal.actor, domainId: sending.domainId });
    expect(email.createdAt).toEqual(sending.clock.now());
    expect(email.messageId).toBe(`<${email.id}@${sendingDomain}>`);
  });

  it('refuses addresses of documentation domains before it fetches attachments', async () => {
    const attachments = [{ path: 'https://files.test/never' }];
    await expect(sending.compose({ to: 'a@example.com', attachments })).rejects.toThrow('cannot be delivered');
  });
});
