import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Principal } from '../domain/principal.js';
import { InMemoryIdentity } from '../../../../test/support/fakes/in-memory-identity.js';
import { ApiKeys, hashApiKeyToken, NewApiKey } from './api-keys.use-case.js';

const domainId = newId();
let identity: InMemoryIdentity;
let keys: ApiKeys;

beforeEach(() => {
  identity = new InMemoryIdentity();
  const { unitOfWork, apiKeys, use, clock, teamId } = identity;
  const domains = { isOwnedBy: async (team: string, domain: string) => team === teamId && domain === domainId };
  keys = new ApiKeys(unitOfWork, apiKeys, use, domains, clock);
});

function create(fields: Partial<NewApiKey>): Promise<{ readonly id: string; readonly token: string }> {
  return keys.create(identity.principal, { name: 'Key', permission: 'full_access', ...fields });
}

it('the key is stored with the hash of its token', async () => {
  const { id, token } = await create({ name: 'Deploy', permission: 'sending_access', domainId });
  expect(token).toMatch(/^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/);
  expect(await identity.apiKeys.findByTokenHash(hashApiKeyToken(token))).toMatchObject({
    id,
    teamId: identity.teamId,
    name: 'Deploy',
    permission: 'sending_access',
    domainId,
  });
});

it.each([
  [{ domainId }, 'sending_access'],
  [{ permission: 'sending_access', domainId: newId() }, 'one of your domains'],
  [{ name: 'x'.repeat(51) }, 'at most 50'],
  [{ name: '\0' }, 'must be text'],
] as const)('%j is refused', async (fields, message) => {
  await expect(create(fields)).rejects.toThrow(message);
  expect((await identity.apiKeys.list(identity.teamId, { limit: 10 })).items).toEqual([]);
});

const list = async () => (await keys.list(identity.teamId, { limit: 10 })).items;

it('the list is newest first and includes uses that are not stored yet', async () => {
  const [first, second] = [await identity.add('re_a'), await identity.add('re_b')];
  identity.use.note(first.id, identity.clock.now());
  expect((await list()).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
    [second.id, null],
    [first.id, identity.clock.now()],
  ]);
});

it('a team can rename its own keys only', async () => {
  const { id } = await identity.add('re_a');
  await keys.change(identity.principal, id, { name: 'New' });
  expect((await list())[0]?.name).toBe('New');
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(keys.change(stranger, id, { name: 'Theirs' })).rejects.toThrow('API key not found');
  await expect(keys.change(identity.principal, id, { name: 'x'.repeat(51) })).rejects.toThrow('at most 50');
});

it('the last key with full access cannot be deleted, any other key can', async () => {
  const [full, sending] = [await identity.add('re_a'), await identity.add('re_b', { permission: 'sending_access' })];
  await expect(keys.delete(identity.teamId, full.id)).rejects.toThrow('last API key');
  await keys.delete(identity.teamId, sending.id);
  await expect(keys.delete(identity.teamId, sending.id)).rejects.toThrow('API key not found');
  expect((await list()).map(({ id }) => id)).toEqual([full.id]);
});

it('rules are set and lifted one by one, and those of mail only on keys that only send', async () => {
  const [full, sending] = [await identity.add('re_a'), await identity.add('re_b', { permission: 'sending_access' })];
  const rulesOf = async (id: string) => (await list()).find((key) => key.id === id);
  await keys.change(identity.principal, sending.id, { allowedRecipientDomains: ['a.test'], dailyLimit: 5 });
  await keys.change(identity.principal, sending.id, { dailyLimit: null, allowedIps: ['192.0.2.1'] });
  const rules = { allowedIps: ['192.0.2.1'], allowedRecipientDomains: ['a.test'], dailyLimit: null, name: 'Key' };
  expect(await rulesOf(sending.id)).toMatchObject(rules);
  await expect(keys.change(identity.principal, full.id, { dailyLimit: 5 })).rejects.toThrow('`daily_limit`');
  await expect(create({ policies: { allowedRecipientDomains: ['a.test'] } })).rejects.toThrow('sending_access');
  await keys.change(identity.principal, full.id, { dailyLimit: null, allowedIps: ['192.0.2.1'] });
});

it('a tool changes the rules of no key that may do more than the tool', async () => {
  const { id } = await identity.add('re_a', { permission: 'sending_access', dailyLimit: 1 });
  const tool = Principal.ofTool({
    userId: newId(),
    teamId: identity.teamId,
    role: 'owner',
    permissions: new Set(['api-keys:write']),
    tool: { grantId: newId(), name: 'Tool' },
  });
  await expect(keys.change(tool, id, { dailyLimit: null })).rejects.toThrow('emails:send');
  await keys.change(tool, id, { name: 'Renamed' });
});
