import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryIdentity } from '../../../../test/support/fakes/in-memory-identity.js';
import { AuthenticateApiKey } from './authenticate-api-key.use-case.js';

let identity: InMemoryIdentity;
let keys: AuthenticateApiKey;

beforeEach(() => {
  identity = new InMemoryIdentity();
  keys = new AuthenticateApiKey(identity.apiKeys, identity.use, identity.clock);
});

it('a valid token yields the principal of its key, and the use is recorded', async () => {
  const key = await identity.add('re_known', { permission: 'sending_access', domainId: newId() });
  const principal = await keys.authenticate('re_known', '192.0.2.1');
  expect(principal).toMatchObject({ teamId: identity.teamId, actor: { kind: 'api_key', id: key.id } });
  expect([principal.may('emails:send'), principal.may('emails:read')]).toEqual([true, false]);
  expect([principal.isForDomain(key.domainId ?? ''), principal.isForDomain(newId())]).toEqual([true, false]);
  expect(identity.use.lastUse(key.id)).toEqual(identity.clock.now());
});

it('a key that has signed a request is found by its id', async () => {
  const { id } = await identity.add('re_known');
  expect(await keys.authenticateSigned(id, '192.0.2.1')).toMatchObject({
    teamId: identity.teamId,
    actor: { kind: 'api_key', id },
  });
  await expect(keys.authenticateSigned(newId(), '192.0.2.1')).rejects.toThrow('API key is invalid');
});

it.each(['re_unknown', 'known', '', `re_${'x'.repeat(300)}`])('an unknown token %j is refused', async (token) => {
  await identity.add('re_known');
  await expect((async () => keys.authenticate(token, '192.0.2.1'))()).rejects.toThrow('API key is invalid');
});

it('a key is accepted from its networks, and its holder is known wherever it is used', async () => {
  const key = await identity.add('re_known', { allowedIps: ['192.0.2.0/24'] });
  expect((await keys.authenticate('re_known', '::ffff:192.0.2.7')).actor).toEqual({ kind: 'api_key', id: key.id });
  for (const address of ['203.0.113.7', '', 'unknown']) {
    await expect((async () => keys.authenticate('re_known', address))()).rejects.toThrow('`allowed_ips`');
  }
  expect((await keys.holderOf('re_known')).teamId).toBe(identity.teamId);
});
