import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemorySending, sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
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
