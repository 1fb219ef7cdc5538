import { expect, it } from '@jest/globals';
import { MissingPermissionError, Principal } from '#identity';
import { newId, NotFoundError } from '#kernel';
import { InMemoryGuards } from '../../../../test/support/fakes/in-memory-guards.js';
import { noOutcomes } from '../domain/evidence.js';
import { GuardSettings } from '../domain/guard-limits.js';
import { ReadGuard } from './read-guard.query.js';

const [teamId, domainId] = [newId(), newId()];
const settings = { mode: 'warn' } as GuardSettings;

it('shows the steps and changes of a domain to its team, and those of all to the operator', async () => {
  const guards = new InMemoryGuards();
  const domains = { find: async (team: string) => (team === teamId ? { domain: { id: domainId } } : undefined) };
  const reading = new ReadGuard(domains as never, guards.states, { settings });
  const since = new Date();
  const state = {
    teamId,
    domainId,
    provider: 'google',
    step: 'warned' as const,
    since,
    slowPace: 100,
    isLocked: false,
    isSettled: true,
    start: { from: since, before: noOutcomes },
    evidence: undefined,
    liftedAt: undefined,
  };
  await guards.states.save(state, { id: 'change' } as never, since);
  expect(await reading.of(teamId, domainId)).toMatchObject({ settings, states: [{ step: 'warned' }] });
  expect((await reading.changes(teamId, domainId, { limit: 20 })).items).toEqual([{ id: 'change' }]);
  await expect(reading.of(newId(), domainId)).rejects.toThrow(NotFoundError);
  await expect(reading.changes(newId(), domainId, { limit: 20 })).rejects.toThrow(NotFoundError);
  const user = (isOperator: boolean): Principal => Principal.ofUser({ id: newId(), teamId, role: 'owner', isOperator });
  expect(await reading.active(user(true))).toMatchObject({ mode: 'warn', states: [{ team: 'Acme' }] });
  await expect(reading.active(user(false))).rejects.toThrow(MissingPermissionError);
});
