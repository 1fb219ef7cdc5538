import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryIdentity } from '../../../../test/support/in-memory-identity.js';
import { BootstrapTeam } from './bootstrap-team.use-case.js';

let identity: InMemoryIdentity;
let bootstrap: BootstrapTeam;

beforeEach(() => {
  const { unitOfWork, teams, apiKeys, tokens, clock } = (identity = new InMemoryIdentity());
  bootstrap = new BootstrapTeam(unitOfWork, teams, apiKeys, tokens, clock);
});

const nothing = async (): Promise<void> => undefined;

it('the first start creates a team and a key with full access, the next start creates nothing', async () => {
  const made = await bootstrap.execute(undefined, nothing);
  const key = await identity.apiKeys.findByTokenHash(identity.tokens.hash(made?.token ?? ''));
  expect(key).toMatchObject({ teamId: made?.teamId, permission: 'full_access' });
  expect(await bootstrap.execute(undefined, nothing)).toBeUndefined();
});

it('a configured token becomes the first key, and another token is ignored afterwards', async () => {
  expect(await bootstrap.isIgnored('re_given')).toBe(false);
  expect(await bootstrap.execute('re_given', nothing)).toMatchObject({ token: 're_given' });
  expect(await bootstrap.isIgnored('re_given')).toBe(false);
  expect(await bootstrap.isIgnored('re_other')).toBe(true);
});

it('no team is created where the rest of the first start fails', async () => {
  const failure = new Error('no domain');
  await expect(bootstrap.execute('re_given', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await identity.teams.anyExists()).toBe(false);
  expect(await identity.apiKeys.findByTokenHash(identity.tokens.hash('re_given'))).toBeUndefined();
});
