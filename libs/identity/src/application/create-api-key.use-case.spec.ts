import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryIdentity } from '../../../../test/support/in-memory-identity.js';
import { CreateApiKey, NewApiKey } from './create-api-key.use-case.js';

const domainId = newId();
let identity: InMemoryIdentity;

beforeEach(() => {
  identity = new InMemoryIdentity();
});

function create(fields: Partial<NewApiKey>): Promise<{ readonly id: string; readonly token: string }> {
  const { unitOfWork, apiKeys, tokens, clock, teamId } = identity;
  const domains = { isOwnedBy: async (team: string, domain: string) => team === teamId && domain === domainId };
  const createApiKey = new CreateApiKey(unitOfWork, apiKeys, tokens, domains, clock);
  return createApiKey.execute(teamId, { name: 'Key', permission: 'full_access', ...fields });
}

it('the key is stored with the hash of its token', async () => {
  const { id, token } = await create({ name: 'Deploy', permission: 'sending_access', domainId });
  expect(token).toMatch(/^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/);
  expect(await identity.apiKeys.findByTokenHash(identity.tokens.hash(token))).toMatchObject({
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
