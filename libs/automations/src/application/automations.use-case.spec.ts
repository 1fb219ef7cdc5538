import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { InMemoryUnitOfWork, newId } from '#kernel';
import type { PublishedTemplate, PublishedTemplates } from '#templates';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenRuns, InMemoryAutomations } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { Automations } from './automations.use-case.js';

const teamId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
const graph = Graph.parse(
  [
    { key: 'start', type: 'trigger', config: { event_name: 'user.created' } },
    { key: 'mail', type: 'send_email', config: { template: { id: 'welcome' } } },
  ],
  [{ from: 'start', to: 'mail' }],
);
const requested = { name: 'Welcome', status: 'disabled', graph } as const;
let repository: InMemoryAutomations;
let runs: GivenRuns;
let template: PublishedTemplate | 'draft' | undefined;
let automations: Automations;

beforeEach(() => {
  repository = new InMemoryAutomations();
  runs = new GivenRuns();
  template = undefined;
  const templates = { find: async () => template } as unknown as PublishedTemplates;
  automations = new Automations(repository, runs, templates, new InMemoryUnitOfWork(), new FakeClock());
});

it('a disabled automation may name a template that does not exist yet, an enabled one may not', async () => {
  const id = await automations.add(owner, requested);
  await expect(automations.change(owner, id, { status: 'enabled' })).rejects.toThrow('`welcome` of the step `mail`');
  template = 'draft';
  await expect(automations.add(owner, { ...requested, status: 'enabled' })).rejects.toThrow('is not published');
  template = {} as PublishedTemplate;
  await automations.change(owner, id, { status: 'enabled' });
  expect((await automations.find(teamId, id)).status).toBe('enabled');
});

it('other steps make a new version, another name does not', async () => {
  const id = await automations.add(owner, requested);
  const other = Principal.ofUser({ id: newId(), teamId, role: 'admin' });
  await automations.change(other, id, { name: 'Hello' });
  expect(await automations.find(teamId, id)).toMatchObject({ name: 'Hello', version: 1, actor: owner.actor });
  await automations.change(other, id, { graph });
  expect(await automations.find(teamId, id)).toMatchObject({ version: 2, actor: other.actor });
});

it('a copy is disabled', async () => {
  template = {} as PublishedTemplate;
  const id = await automations.add(owner, { ...requested, status: 'enabled' });
  const copy = await automations.duplicate(owner, id);
  expect(await automations.find(teamId, copy)).toMatchObject({ name: 'Welcome (copy)', status: 'disabled', graph });
});

it('is stopped and removed, by those who may', async () => {
  const id = await automations.add(owner, requested);
  await automations.stop(owner, id);
  await automations.remove(owner, id);
  expect(repository.stopped).toEqual([
    { id, isDeleted: false },
    { id, isDeleted: true },
  ]);
  await expect(automations.find(teamId, id)).rejects.toThrow('Automation not found');
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(automations.stop(viewer, id)).rejects.toThrow();
});

it('a run shows the steps that it has not come to, and only a running one is cancelled', async () => {
  const id = await automations.add(owner, requested);
  const at = new Date();
  const begun = { key: 'start', type: 'trigger', status: 'completed', output: null, error: null } as const;
  const run = {
    ...{ id: newId(), teamId, automationId: id, version: 1, triggerKey: 'start', contactId: newId(), payload: {} },
    contactEmail: 'ada@example.com',
    ...{
      waitEvents: {},
      stepKey: 'mail',
      isWaiting: false,
      hasEvent: false,
      troubles: 0,
      createdAt: at,
      startedAt: at,
    },
    ...{ completedAt: null, graph, postponedBecause: null, dueAt: at, status: 'running' as const },
    begun: new Map([['start', { ...begun, startedAt: at, completedAt: at }]]),
  };
  runs.runs.set(run.id, run);
  const { steps } = await automations.findRun(teamId, id, run.id);
  expect(steps.map(({ key, status }) => [key, status])).toEqual([
    ['start', 'completed'],
    ['mail', 'pending'],
  ]);
  await automations.cancelRun(owner, id, run.id);
  runs.runs.set(run.id, { ...run, status: 'completed' });
  await expect(automations.cancelRun(owner, id, run.id)).rejects.toThrow('The run is completed');
  await expect(automations.cancelRun(owner, id, newId())).rejects.toThrow('Automation run not found');
  expect((await automations.listRuns(teamId, id, ['failed'], { limit: 10 })).items).toEqual([]);
  await expect(automations.listRuns(newId(), id, [], { limit: 10 })).rejects.toThrow('Automation not found');
});
